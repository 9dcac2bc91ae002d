mod binding;
mod differential;
mod envelope;
mod faults;
mod numbers;
