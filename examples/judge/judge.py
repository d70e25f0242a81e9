#!/usr/bin/env python3
"""The example of a hook in Python; main.go has it in Go, judge.mjs in JavaScript with types.

    [[hooks]]
    on = ["tool:before", "prompt:submit"]
    command = ["/path/to/judge.py"]
    fail = "closed"
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sdk", "python"))

import boathook  # noqa: E402 (a hook of yours has boathook.py beside it)


def judge(event: boathook.Event):
    if event["event"] == "prompt:submit":
        if "deploy" in event.get("prompt", "").lower():
            return boathook.add_context("Deploys go through 'make deploy', after its checks.")
    elif event["event"] == "tool:before":
        return judge_tool(event)
    return None


def judge_tool(event: boathook.Event):
    command = boathook.command(event)
    if "git push" in command and "--force" in command:
        return boathook.deny("Force pushes are made by people.")
    if command.startswith("npm publish"):
        return boathook.ask("Publish this package?")
    if command.startswith("npm install") and "--ignore-scripts" not in command:
        decision = boathook.rewrite_command(event, command + " --ignore-scripts")
        return boathook.add_context("Install scripts are off on this machine.", decision)
    if boathook.is_tool(event, "write_file", "edit_file"):
        for path in event["tool"].get("paths", []):
            if path.endswith(".env"):
                return boathook.deny("Secrets are not written by agents: " + path)
    return None


if __name__ == "__main__":
    boathook.main(judge)
