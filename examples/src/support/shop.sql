CREATE TABLE customers (
    id   TEXT PRIMARY KEY,
    name TEXT NOT NULL
);

CREATE TABLE scopes (
    customer_id TEXT NOT NULL REFERENCES customers,
    scope       TEXT NOT NULL,
    PRIMARY KEY (customer_id, scope)
);

CREATE TABLE orders (
    id          TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers,
    item        TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('open', 'shipped', 'delivered', 'cancelled')),
    placed      TEXT NOT NULL,
    paid_cents  INTEGER NOT NULL
);

CREATE TABLE parcels (
    order_id TEXT PRIMARY KEY REFERENCES orders,
    carrier  TEXT NOT NULL,
    tracking TEXT NOT NULL
);

CREATE TABLE refunds (
    id           INTEGER PRIMARY KEY,
    order_id     TEXT NOT NULL REFERENCES orders,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    reason       TEXT NOT NULL
);

CREATE TABLE policies (
    topic TEXT PRIMARY KEY,
    words TEXT NOT NULL
);

CREATE VIEW ledger AS
SELECT orders.*, paid_cents - COALESCE((SELECT SUM(amount_cents) FROM refunds WHERE order_id = orders.id), 0)
    AS refundable_cents
FROM orders;

INSERT INTO customers VALUES
    ('ada', 'Ada'),
    ('ben', 'Ben');

INSERT INTO scopes VALUES
    ('ada', 'refunds');

INSERT INTO orders VALUES
    ('A-1001', 'ada', 'lamp',  'delivered', '2026-10-28',  4990),
    ('A-1002', 'ada', 'desk',  'shipped',   '2026-11-16', 32900),
    ('A-1003', 'ada', 'rug',   'shipped',   '2026-11-12', 11900),
    ('A-1004', 'ada', 'vase',  'open',      '2026-11-27',  2500),
    ('B-2001', 'ben', 'sofa',  'shipped',   '2026-11-20', 89900),
    ('B-2002', 'ben', 'chair', 'shipped',   '2026-11-21', 14900),
    ('B-2003', 'ben', 'clock', 'shipped',   '2026-11-22',  7900);

INSERT INTO parcels VALUES
    ('A-1001', 'Swift Post',     'SP-310'),
    ('A-1002', 'Swift Post',     'SP-344'),
    ('A-1003', 'Sleepy Haulage', 'SH-007'),
    ('B-2001', 'Swift Post',     'SP-351'),
    ('B-2002', 'Brittle Cargo',  'BC-118'),
    ('B-2003', 'Mute Freight',   'MF-902');

INSERT INTO policies VALUES
    ('damaged_goods', 'A damaged item is refunded in full within 30 days of delivery. It need not be sent back.'),
    ('returns',       'An unused item can be sent back within 14 days. The customer pays the postage.'),
    ('late_delivery', 'The postage is refunded if a parcel is more than 7 days late.');
