#!/usr/bin/env python3
"""Checks what the wires write against the vendors' own types. No network and no key.

Reads lines of JSON: {"provider", "sample", "case", "request", "messages"}, where `request` holds what an offer says of its
tools and `messages` what is appended to a conversation. Refuses keys that the vendor's type does not know. Exits with 1 where
anything is refused, a provider is missing, or a record that was spoiled on purpose is taken.
"""

import collections
import collections.abc
import copy
import json
import sys
import typing

import typing_extensions
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError


class Refused(Exception):
    pass


# TypedDicts of the SDKs take unknown keys, and check iterables lazily: both are made strict.

_strict = {}


def strict(kind, busy=()):
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is collections.abc.Iterable or origin in (list, collections.abc.Sequence):
        return list[strict(args[0], busy)]
    if origin is typing.Union or "UnionType" in str(origin):
        return typing.Union[tuple(strict(arg, busy) for arg in args)]
    if origin is typing.Annotated:
        return strict(args[0], busy)
    if origin in (typing.Required, typing.NotRequired, typing_extensions.Required, typing_extensions.NotRequired):
        return strict(args[0], busy)
    if not (isinstance(kind, type) and hasattr(kind, "__required_keys__")):
        return kind
    if kind in _strict:
        return _strict[kind]
    if kind in busy:
        return kind
    hints = typing.get_type_hints(kind)
    fields = {
        key: (typing.Required if key in kind.__required_keys__ else typing.NotRequired)[strict(hint, (*busy, kind))]
        for key, hint in hints.items()
    }
    made = typing_extensions.TypedDict(kind.__name__, fields)
    made.__pydantic_config__ = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    if not busy:
        _strict[kind] = made
    return made


_adapters = {}


def typed(kind, value):
    """Checks against a TypedDict, strictly."""
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(list[strict(kind)])
    _adapters[kind].validate_python(value)


# Below these keys stands a schema or an answer of the application's own.
FREE = {"inputSchema", "outputSchema", "structuredContent"}


def modelled(model, value):
    """Checks against a pydantic model, which may take unknown keys: none may be left over."""
    made = model.model_validate(value)
    unknown = list(left_over(made, value, model.__name__))
    if unknown:
        raise Refused(", ".join(unknown))


def left_over(made, value, path):
    if isinstance(made, BaseModel) and isinstance(value, dict):
        fields = type(made).model_fields
        by_key = {}
        for name, field in fields.items():
            for key in (name, field.alias, field.serialization_alias):
                if isinstance(key, str):
                    by_key[key] = name
        for key, inner in value.items():
            if key in FREE:
                continue
            if key in by_key:
                yield from left_over(getattr(made, by_key[key], None), inner, f"{path}.{key}")
            else:
                yield f"{path}.{key} is unknown"
    elif isinstance(made, list) and isinstance(value, list):
        for place, (one, inner) in enumerate(zip(made, value)):
            yield from left_over(one, inner, f"{path}[{place}]")


def anthropic(record):
    from anthropic.types import MessageParam, ToolParam
    from anthropic.types import ToolChoiceParam

    request = record["request"]
    typed(ToolParam, request["tools"])
    typed(MessageParam, record["messages"])
    typed(ToolChoiceParam, [request["tool_choice"]])


def openai_chat(record):
    from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionMessageParam

    typed(ChatCompletionFunctionToolParam, record["request"]["tools"])
    # `reasoning_content` is DeepSeek's, which wants it back.
    messages = [{key: value for key, value in message.items() if key != "reasoning_content"} for message in record["messages"]]
    typed(ChatCompletionMessageParam, messages)


def openai_responses(record):
    from openai.types.responses import FunctionToolParam, ResponseInputItemParam

    tools = record["request"]["tools"]
    if any("strict" not in tool for tool in tools):
        raise Refused("`strict` is not written out")
    typed(FunctionToolParam, tools)
    typed(ResponseInputItemParam, record["messages"])


def gemini(record):
    from google.genai import types

    request = record["request"]
    for tool in request["tools"]:
        modelled(types.Tool, tool)
    modelled(types.ToolConfig, request["toolConfig"])
    for content in record["messages"]:
        modelled(types.Content, content)


_converse = None


def bedrock(record):
    import botocore.session
    from botocore.validate import ParamValidator

    global _converse
    if _converse is None:
        loader = botocore.session.Session().get_service_model("bedrock-runtime")
        _converse = loader.operation_model("Converse").input_shape
    request = {"modelId": "any", "messages": blobs(record["messages"]), "toolConfig": record["request"]["toolConfig"]}
    report = ParamValidator().validate(request, _converse)
    if report.has_errors():
        raise Refused(report.generate_report())


def blobs(value):
    """Base64 stands in JSON where botocore wants bytes: only the shape is checked."""
    if isinstance(value, dict):
        return {key: inner.encode() if key == "bytes" else blobs(inner) for key, inner in value.items()}
    return [blobs(inner) for inner in value] if isinstance(value, list) else value


def mistral(record):
    from mistralai.client import models

    for tool in record["request"]["tools"]:
        modelled(models.Tool, tool)
    by_role = {"assistant": models.AssistantMessage, "tool": models.ToolMessage}
    for message in record["messages"]:
        modelled(by_role[message["role"]], message)


def cohere(record):
    from cohere.types import AssistantChatMessageV2, ToolChatMessageV2, ToolV2

    for tool in record["request"]["tools"]:
        modelled(ToolV2, tool)
    by_role = {"assistant": AssistantChatMessageV2, "tool": ToolChatMessageV2}
    for message in record["messages"]:
        modelled(by_role[message["role"]], message)


def ollama(record):
    from ollama import Message, Tool

    for tool in record["request"]["tools"]:
        Tool.model_validate(tool)
    for message in record["messages"]:
        # The SDK does not know ids yet; the server does (`api/types.go`).
        message = copy.deepcopy(message)
        message.pop("tool_call_id", None)
        for call in message.get("tool_calls", []):
            for key in ("id", "type"):
                call.pop(key, None)
        modelled(Message, message)


def mcp(record):
    import mcp_types
    from mcp_types import _v2025_11_25, _v2026_07_28

    for response in record["messages"]:
        if "error" in response:
            modelled(mcp_types.JSONRPCError, response)
            continue
        modelled(mcp_types.JSONRPCResponse, {**response, "result": {}})
        modelled(_v2026_07_28.CallToolResult, response["result"])
        # The older revision takes what the newer one has added, and has no word for it.
        _v2025_11_25.CallToolResult.model_validate(response["result"])
    for tool in record["request"]["tools"]:
        for revision in (_v2025_11_25, _v2026_07_28):
            modelled(revision.Tool, tool)


def plain(record):
    # Chat templates have no vendor: the message is what the widest of their readers, transformers, documents.
    for message in record["messages"]:
        known = {"assistant": {"role", "content", "tool_calls"}, "tool": {"role", "name", "tool_call_id", "content"}}
        if set(message) - known[message["role"]]:
            raise Refused("an unknown key")


PROVIDERS = {
    check.__name__: check
    for check in (anthropic, openai_chat, openai_responses, gemini, bedrock, mistral, cohere, ollama, mcp, plain)
}

# An unknown block has to go back as it came, and no type knows it: only in these samples.
UNKNOWN_BLOCKS = {("anthropic", "anthropic/response_server_blocks")}


def refusal(record):
    if (record["provider"], record["sample"]) in UNKNOWN_BLOCKS:
        record = copy.deepcopy(record)
        for message in record["messages"]:
            if isinstance(message.get("content"), list):
                message["content"] = [block for block in message["content"] if block.get("type") != "some_future_block"]
    try:
        PROVIDERS[record["provider"]](record)
    except (ValidationError, Refused, KeyError, TypeError) as error:
        return f"{type(error).__name__}: {str(error)[:2000]}"
    return None


def spoilt(record):
    """The record with an unknown key in each message, one after the other."""
    for place in range(len(record["messages"])):
        bad = copy.deepcopy(record)
        bad["messages"][place]["unheard_of"] = 1
        yield bad


def main():
    records = [json.loads(line) for line in sys.stdin if line.strip()]
    seen, spoils, refused = collections.Counter(), 0, []
    planted = set()
    for record in records:
        seen[record["provider"]] += 1
        why = refusal(record)
        if why:
            refused.append(f"{record['provider']} {record['sample']} {record['case']}: {why}")
        # One sample a provider is spoiled, to see that the check can fail.
        if not why and record["messages"] and record["provider"] not in planted:
            planted.add(record["provider"])
            for bad in spoilt(record):
                spoils += 1
                if not refusal(bad):
                    refused.append(f"{record['provider']} {record['sample']}: an unknown key is taken")
    for line in refused[:40]:
        print(line)
    if "--tools" in sys.argv:
        # Requests without messages: there is nothing to spoil in them.
        planted = set(seen)
        missing = []
    else:
        missing = sorted(set(PROVIDERS) - set(seen))
    print(f"{dict(seen)}, {spoils} spoiled ones refused" if not missing else f"nothing was written for {missing}")
    print(f"{len(records) - len(refused)} passed, {len(refused)} failed")
    return 1 if refused or missing or not records or planted != set(seen) else 0


if __name__ == "__main__":
    sys.exit(main())
