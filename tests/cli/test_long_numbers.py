"""Numbers of thousands of digits: evidence that has them is read again, and Python tells them."""

from __future__ import annotations

import pytest

import lemmata
from tests.support.program import run_program

SQUARES = "".join(f"(define-fun m{k} () Int (* m{k - 1} m{k - 1}))\n" for k in range(1, 15))
SQUARED = f"(set-logic HORN)\n(define-fun m0 () Int 10)\n{SQUARES}(declare-fun p (Int) Bool)\n"


@pytest.mark.parametrize(
    ("clauses", "engine"),
    [
        ("(assert (p m14))\n(assert (forall ((x Int)) (=> (p x) false)))", "auto"),
        ("(assert (p 0))\n(assert (forall ((x Int)) (=> (and (p x) (< x m13)) (p (+ x 1)))))\n"
         "(assert (forall ((x Int)) (=> (and (p x) (>= x m13)) false)))", "accelerate"),
    ],
)  # fmt: skip
def test_a_witness_with_numbers_of_thousands_of_digits_is_read_again(tmp_path, clauses, engine):
    file, witness = tmp_path / "long.smt2", tmp_path / "w.txt"
    file.write_text(f"{SQUARED}{clauses}\n(check-sat)\n")
    code, out, _ = run_program("check", file, "--engine", engine, "--workers", "1", "--witness", witness, "--timeout", "300")
    assert (code, out.splitlines()[-1]) == (10, f"wrote {witness}") and len(witness.read_text()) > 8_000
    code, out, _ = run_program("replay", file, witness, "--timeout", "300")
    assert code == 0 and out.startswith("accepted: false is reached in ")


def test_a_certificate_with_numbers_of_thousands_of_digits_is_read_again(tmp_path):
    file, proof, copy = tmp_path / "long.smt2", tmp_path / "c.smt2", tmp_path / "copy.smt2"
    clauses = "(assert (p m12))\n(assert (forall ((x Int)) (=> (p x) (> x 5))))\n(check-sat)"
    file.write_text(SQUARED + clauses)
    assert run_program("check", file, "--engine", "abstract", "--certificate", proof, "--timeout", "300").code == 0
    assert "0" * 4096 in proof.read_text()
    assert run_program("certify", file, proof, "--timeout", "300").out == "accepted: false is safe\n"
    assert run_program("convert", file, copy).code == 0 and "0" * 4096 in copy.read_text()
    assert run_program("check", copy, "--timeout", "300").code == 0


def test_python_tells_numbers_of_thousands_of_digits(tmp_path):
    file = tmp_path / "long.smt2"
    file.write_text(SQUARED + "(assert (p m14))\n(assert (forall ((x Int)) (=> (p x) false)))\n(check-sat)")
    (prop,) = lemmata.check(file, workers=1, timeout=300).properties
    assert f"x = 1{'0' * 16_384}" in prop.verdict.trace.describe()
