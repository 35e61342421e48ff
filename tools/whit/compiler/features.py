# SPDX-License-Identifier: MIT
"""The features that an application uses, as WHIT_HAS_ constants; the engine omits the others."""

from collections.abc import Iterable
from dataclasses import dataclass

from . import json_errors
from .model import ENUM, INTEGER_SIZES, STR, Generator, Persistence, Resource, Writer
from .services.model import BASE64, DATE_TIME, Security, Way, every, field_of
from .services.security import Secured
from .typed import every as every_argument


@dataclass(frozen=True)
class Feature:
    """A constant WHIT_HAS_ and its name; `what` describes when it is 1."""

    name: str
    used: bool
    what: str


def features(
    resources: Iterable[Resource],
    *,
    error_files: bool = False,
    database: bool = False,
    https: bool = False,
    replies: bool = False,
    signers: Secured | None = None,
    form_data: bool = False,
    charsets: bool = False,
    told_in_json: bool = False,
) -> tuple[Feature, ...]:
    """Returns all features, used or not.

    `error_files`: the application has a 404.html or the like. `database`: it asks a database. `https`: TLS keeps
    output that a plain connection generates again. `replies`: replies to signed messages are signed. `signers`: the
    callers' keys. `form_data`: forms may be multipart/form-data as well. `charsets`: SOAP messages may be in
    ISO-8859-1 and US-ASCII as well. `told_in_json`: responses name the wrong argument in JSON.
    """
    served = list(resources)
    generators = [resource.generator for resource in served if resource.generator]
    gets = [(generator.get, generator.persistence) for generator in generators if generator.get]
    kinds = {persistence for _, persistence in gets}
    writers = {get.writer for get, _ in gets}
    arguments = [argument for generator in generators for _, argument in every_argument(generator.arguments)]
    types = {argument.type for argument in arguments}
    given = [field for generator in generators if generator.service for field in every(generator.service.result)]
    body = any(map(_has_body, generators))
    soap_alone = bool(generators) and all(map(_is_soap, generators))
    again = Writer.INDEX in writers or any(generator.is_run_again for generator in generators)
    dear = any(get.writer == Writer.THREAD and persistence == Persistence.IDEMPOTENT for get, persistence in gets)
    once = any(get.writer == Writer.THREAD and persistence == Persistence.PERSISTENT for get, persistence in gets)
    form_threads = any(generator.form_thread for generator in generators)
    operations = [generator.service for generator in generators if generator.service]
    secured = {operation.security for operation in operations}
    taken = [field_of(one) for generator in generators if generator.service for one in generator.arguments]
    fields = [*given, *every(tuple(taken))]
    return (
        Feature("GENERATORS", bool(generators), "something is generated"),
        Feature("ARGUMENTS", bool(arguments) and not soap_alone, "a generator has arguments, in a target or a form"),
        Feature("TAIL", any(argument.path for argument in arguments), "... at the end of its path"),
        Feature("ENUM", ENUM in types, "... of the type enum"),
        Feature("BOOL", "bool" in types, "... of the type bool"),
        Feature("SIGNED", any(name.startswith("int") for name in types), "... of a type with negative numbers"),
        Feature("WIDE", any(INTEGER_SIZES.get(name, 1) > 1 for name in types), "... that is a number above 255"),
        Feature("UTF8", any(argument.text == "utf8" for argument in arguments), "... that is a text, which is UTF-8"),
        Feature(
            "OCTETS", any(argument.type == STR and not argument.text for argument in arguments), "... or any octets"
        ),
        Feature("FALLBACKS", any(argument.default for argument in arguments), "... with a default that is not 0"),
        Feature("STORED", any(resource.stored for resource in served), "a content is written at run time"),
        Feature(
            "ETAGS",
            any(resource.stored or any(one.etag for one in resource.representations) for resource in served),
            "a content has an entity tag",
        ),
        Feature("ERROR_FILES", error_files, "an error has a file of the application as its body"),
        Feature(
            "VARIANTS",
            any(len(resource.representations) > 1 for resource in served if not resource.generator),
            "a file has coded variants",
        ),
        Feature(
            "PERSISTENT",
            body or Persistence.PERSISTENT in kinds,
            "what runs once a request: a doGet, or a body's handlers",
        ),
        Feature("VOLATILE", Persistence.VOLATILE in kinds, "a doGet is volatile"),
        Feature("IDEMPOTENT", Persistence.IDEMPOTENT in kinds, "a doGet is idempotent"),
        Feature("PLAIN", Writer.PLAIN in writers, "a doGet writes all and returns"),
        Feature("INDEX", Writer.INDEX in writers, "a doGet writes the octets that it is asked for"),
        Feature("THREADS", Writer.THREAD in writers or form_threads, "a doGet or doPost is a protothread"),
        Feature(
            "PERSISTENT_THREADS",
            once or dear or form_threads or (https and again),
            "... that runs once, or is too dear to run again",
        ),
        Feature("DEAR_THREADS", dear, "... and idempotent"),
        Feature("RERUN", again, "a doGet is a volatile or idempotent thread, or writes by index"),
        Feature("INIT_GET", any(generator.init_get for generator in generators), "there is an initGet"),
        Feature("ANSWER", any(generator.answers for generator in generators), "a handler chooses a status or a field"),
        Feature("BODY", body, "requests with a body are answered"),
        Feature("FORM", any(generator.form for generator in generators), "there is a doPost"),
        Feature("FORM_THREADS", form_threads, "... that is a protothread"),
        Feature("LATER", any(generator.later for generator in generators), "a response may wait for its content's end"),
        Feature("JSON", any(generator.json for generator in generators), "... that takes JSON as well"),
        Feature("FORM_PARTS", form_data and any(map(_takes_forms, generators)), "... or multipart/form-data"),
        Feature(
            "JSON_ERRORS",
            told_in_json and any(map(json_errors.speaks, generators)),
            "JSON tells which argument is wrong",
        ),
        Feature("PARTS", any(generator.parts for generator in generators), "there is a doPostIn"),
        Feature("PART_THREADS", any(map(_has_part_thread, generators)), "... that is a protothread"),
        Feature("DATABASE", database, "a database is asked"),
        Feature("SERVICES", bool(operations), "a function is called, and its result written by the engine"),
        Feature("FORM_CALLS", any(Way.FORM in operation.ways for operation in operations), "... by forms"),
        Feature("SOAP", any(generator.endpoint for generator in generators), "... by SOAP"),
        Feature("CHARSETS", charsets and any(one.endpoint for one in generators), "... in ISO-8859-1 and US-ASCII too"),
        Feature("SOAP_ALONE", soap_alone, "... and nothing else is generated"),
        Feature("ASKED", any(resource.asked for resource in served), "a file answers at a path with a query: ?wsdl"),
        Feature("WORDS", any(field.type == ENUM for field in given), "... that gives words"),
        Feature("TEXTS", any(field.type == STR for field in fields), "... with texts"),
        Feature("SCALE", any(field.scale for field in fields), "... with decimals"),
        Feature("TIMES", any(field.type == DATE_TIME for field in fields), "... with times"),
        Feature("BASE64", any(field.type == BASE64 for field in fields), "... with octets in base64"),
        Feature("TAKES", any(generator.takes for generator in generators), "... that come by pieces"),
        Feature("GIVES", any(generator.gives for generator in generators), "... that leave by pieces"),
        Feature("DIGEST", Security.DIGEST in secured, "... for callers who prove that they know a password"),
        Feature("SIGNATURE", Security.SIGNED in secured, "... for callers who sign their messages"),
        Feature("REPLIES", replies, "... and get replies that are signed"),
        Feature("NESTED", any(field.count or field.fields for field in given), "... with arrays or records"),
        Feature("RECORDS", any(one.has_records for one in generators), "... that takes arrays or records"),
        Feature("P256", bool(signers and signers.points), "a caller signs by ECDSA"),
        Feature("RSA", bool(signers and signers.moduli), "... by RSA"),
    )


def _is_soap(generator: Generator) -> bool:
    return bool(generator.endpoint) or (generator.service is not None and generator.service.ways == (Way.SOAP,))


def _takes_forms(generator: Generator) -> bool:
    service = generator.service
    return bool(generator.form) and not generator.endpoint and (service is None or Way.FORM in service.ways)


def _has_body(generator: Generator) -> bool:
    return generator.has_body


def _has_part_thread(generator: Generator) -> bool:
    return generator.parts is not None and generator.parts.thread
