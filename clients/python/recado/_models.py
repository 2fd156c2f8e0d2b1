"""The models of answers, on pydantic 1.10 and 2."""

from functools import lru_cache
from typing import Any, Callable, Dict, Optional, Type

import pydantic
from pydantic import BaseModel, ValidationError

IS_PYDANTIC_2 = not pydantic.VERSION.startswith("1.")


def to_camel(name: str) -> str:
    """`phone_id` → `phoneId`."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


class Model(BaseModel):
    """
    What an answer has. Fields that this version does not know are ignored.

    `phone.phone_number` is the field `phoneNumber` of the API. `to_json_dict()` gives the names of the API again.
    """

    if IS_PYDANTIC_2:
        model_config = {"alias_generator": to_camel, "populate_by_name": True, "protected_namespaces": ()}
    else:

        class Config:
            alias_generator = to_camel
            allow_population_by_field_name = True
            smart_union = True

    def to_json_dict(self) -> Dict[str, Any]:
        """The fields that came, under their names in the API, as what `json.dumps` takes."""
        if IS_PYDANTIC_2:
            return self.model_dump(mode="json", by_alias=True, exclude_unset=True)
        import json

        return json.loads(self.json(by_alias=True, exclude_unset=True))


class OpenModel(Model):
    """An answer with fields of any names, which keep the names that they came with."""

    if IS_PYDANTIC_2:
        model_config = {"extra": "allow"}
    else:

        class Config:
            extra = "allow"


class Other(OpenModel):
    """Something of a `type` that this version of the client does not know."""

    type: Optional[str] = None


class OtherEvent(OpenModel):
    """An event of a type that this version of the client does not know, or one that came without its content."""

    id: str
    type: Optional[str] = None
    event: Optional[str] = None
    """What the platform API also calls the type"""


@lru_cache(maxsize=1024)
def _adapter(kind: Any) -> Callable[[Any], Any]:
    if IS_PYDANTIC_2:
        return pydantic.TypeAdapter(kind).validate_python
    return lambda value: pydantic.parse_obj_as(kind, value)


def parse(kind: Any, value: Any) -> Any:
    """A value of JSON as what a type says. Raises pydantic's `ValidationError`."""
    return _adapter(kind)(value)


def _choice(pick: Callable[[Any], Any]) -> Any:
    """A type whose values a function makes, for both versions of pydantic."""

    class Choice:
        @classmethod
        def __get_validators__(cls) -> Any:
            yield pick

        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
            from pydantic_core import core_schema

            return core_schema.no_info_plain_validator_function(pick)

    return Choice


def tagged(name: str, models: Dict[str, Type[Model]], other: Type[Model]) -> Any:
    """A union whose members a field tells apart; `other` is what the field does not name."""

    def pick(value: Any) -> Any:
        if isinstance(value, BaseModel):
            return value
        if not isinstance(value, dict):
            raise ValueError("not an object")
        tag = value.get(name)
        return parse(models.get(tag, other) if isinstance(tag, str) else other, value)

    return _choice(pick)


def _known(model: Type[Model], value: Dict[str, Any]) -> int:
    """How many of the fields of a value a model has."""
    if IS_PYDANTIC_2:
        names = {field.alias or name for name, field in model.model_fields.items()}
    else:
        names = {field.alias for field in model.__fields__.values()}
    return len(names & value.keys())


def one_of(*models: Type[Model]) -> Any:
    """A union whose members their fields tell apart: the one that fits, and that knows the most of the fields."""

    def pick(value: Any) -> Any:
        if isinstance(value, BaseModel):
            return value
        if not isinstance(value, dict):
            raise ValueError("not an object")
        faults = []
        for model in sorted(models, key=lambda one: -_known(one, value)):
            try:
                return parse(model, value)
            except ValidationError as fault:
                faults.append(str(fault))
        raise ValueError("; ".join(faults))

    return _choice(pick)


def parse_event(kind: Any, value: Any) -> Any:
    """An event as its model. One that does not fit it, for instance without its content, is an `OtherEvent`."""
    try:
        return parse(kind, value)
    except ValidationError:
        return parse(OtherEvent, value)


