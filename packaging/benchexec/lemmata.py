"""Tool-info module of Lemmata for BenchExec: put it on ``PYTHONPATH`` and write ``tool="lemmata"`` in the benchmark definition.

A property file of SV-COMP becomes ``--property-file``, a data model of a task ``--data-model``; time and memory limits are left
to BenchExec, but Lemmata is told of them, so that it says ``unknown`` with what it knows.
"""

import json

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """How BenchExec calls Lemmata and reads its answer."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("lemmata")

    def name(self):
        return "Lemmata"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="lemmata")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--format", "json", "--no-progress", *options]
        if task.property_file:
            command += ["--property-file", task.property_file]
        model = (task.options or {}).get("data_model") if isinstance(task.options, dict) else None
        if model in ("ILP32", "LP64"):
            command += ["--data-model", model]
        if rlimits.cputime_hard or rlimits.walltime:
            command += ["--timeout", str(int(rlimits.walltime or rlimits.cputime_hard))]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        try:
            answer = json.loads(str(run.output))
        except ValueError:
            return result.RESULT_ERROR if run.exit_code.value not in (5,) else result.RESULT_UNKNOWN
        word = answer["verdict"]
        reasons = {prop["reason"] for prop in answer["properties"] if prop["reason"]}
        if word in ("safe", "covered"):
            return result.RESULT_TRUE_PROP
        if word in ("unsafe", "unreachable"):
            return result.RESULT_FALSE_PROP
        return f"{result.RESULT_UNKNOWN} ({', '.join(sorted(reasons))})" if reasons else result.RESULT_UNKNOWN

    def get_value_from_output(self, output, identifier):
        """Columns of tables: a key of the result, such as ``cpu_s`` or ``memory_mb``."""
        try:
            return json.loads("\n".join(output)).get(identifier)
        except ValueError:
            return None
