"""Everything that users see says what it is."""

import importlib
import inspect
import pkgutil

import pytest

import uzawa as uz

MODULES = ["uzawa", *(f"uzawa.{found.name}" for found in pkgutil.iter_modules(uz.__path__) if not found.name.startswith("_"))]


def own(thing):
    return (getattr(thing, "__module__", "") or "").startswith("uzawa")


def says_something(thing):
    """The binding writes a first line, the signature, by itself."""
    text = inspect.getdoc(thing) or ""
    return len(text.splitlines()) > 1 if type(thing).__name__.startswith("nb_") and not inspect.isclass(thing) else bool(text)


def silent(module):
    """Dotted names without a docstring: classes, functions, methods, properties. An inherited one counts."""
    for name, thing in vars(module).items():
        if name.startswith("_") or not own(thing) or not (inspect.isclass(thing) or callable(thing)):
            continue
        if not says_something(thing):
            yield f"{module.__name__}.{name}"
        if not inspect.isclass(thing):
            continue
        for member in dir(thing):
            found = inspect.getattr_static(thing, member)
            documents_itself = callable(found) or isinstance(found, (property, classmethod, staticmethod)) or inspect.isdatadescriptor(found)
            maker = next(base for base in thing.__mro__ if member in vars(base))
            if member.startswith("_") or not documents_itself or not own(maker) or inspect.ismemberdescriptor(found):
                continue
            if not says_something(getattr(thing, member)):
                yield f"{module.__name__}.{name}.{member}"


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_has_a_docstring(name):
    module = importlib.import_module(name)
    assert module.__doc__ and list(silent(module)) == []


def test_the_test_sees_what_has_none():
    made = type(uz)("uzawa.made")
    exec("class Bare:\n    def method(self): pass\n    @property\n    def part(self): return 1\ndef function(): pass", vars(made))
    for thing in ("Bare", "function"):
        vars(made)[thing].__module__ = "uzawa.made"
    assert sorted(silent(made)) == ["uzawa.made.Bare", "uzawa.made.Bare.method", "uzawa.made.Bare.part", "uzawa.made.function"]
