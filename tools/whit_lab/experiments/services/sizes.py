# SPDX-License-Identifier: MIT
"""Bytes of a device's image: the additions of each way to call two functions, and of each security."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from whit.compiler.application import SOAP_KEPT
from whit.paths import BUILD, ROOT
from whit_lab.experiment import Beside, Figure
from whit_lab.experiments.services import secured
from whit_lab.experiments.services.secured import DEVICE, DIGEST, SIGNED
from whit_lab.instruments import secured as https
from whit_lab.instruments.image import Footprint, look

TARGET = "cortex-m"
WRITTEN = ROOT / "lab" / "written"
MORE = {
    "json": ("written", "json", 1_500, "calls by JSON add to what writes its answers itself"),
    "soap": ("json", "soap json", 3_500, "SOAP adds to both, beside JSON"),
    "digest": ("soap", DIGEST, 2_500, "a UsernameToken with a digest adds to SOAP"),
    "signed": ("soap", SIGNED, 8_000, "a verified signature adds to SOAP"),
    "replies": (SIGNED, "replies", 1_500, "signed replies add to that"),
}
"""By figure: the images that are compared, the bound of what the second one has more, and what that is."""
RAM = {"plain": ("soap json", 400), "digest": (DIGEST, 700), "signed": (SIGNED, 1_500)}


def measure() -> Iterator[Figure]:
    images = {name: look(where, TARGET, settings) for name, (where, settings) in _applications().items()}
    flash = {name: image.sizes.flash for name, image in images.items()}
    what = "Echo and Temperature by SOAP with TCP/IP on a Cortex-M3: all flash of the image"
    yield Figure("echo_temperature_flash_cortex_m", what, flash["soap"], "B", 22_000)
    for name, (less, more, most, what) in MORE.items():
        yield Figure(f"service_flash_{name}_cortex_m", f"flash that {what}", flash[more] - flash[less], "B", most)
    for name, (image, most) in RAM.items():
        held = _held(images[image]) - _held(images["json"])
        what = f"RAM more than a POST of JSON takes, what is kept of a message included: {name}"
        yield Figure(f"service_ram_bytes_{name}", what, held, "B", most)
    yield Beside("echo_temperature_ram_cortex_m", "all variables of that image", images["soap"].sizes.ram, "B")
    yield Beside("service_image_json_cortex_m", "all flash of the image by JSON alone", flash["json"], "B")


def _applications() -> Mapping[str, tuple[Path, Mapping[str, object]]]:
    """Returns directories and settings by name."""
    return {
        "written": (_copy(WRITTEN, "written"), {}),
        "json": (_copy(DEVICE, "json", ("soap", "json")), {}),
        "soap json": (_copy(DEVICE, "soap-json", ("soap", "soap json")), {}),
        "soap": (DEVICE, {}),
        DIGEST: (secured.application(DIGEST), {}),
        SIGNED: (secured.application(SIGNED), {}),
        "replies": (secured.application(SIGNED), _signing()),
    }


def _signing() -> Mapping[str, object]:
    keys = https.settings()
    return {"services.sign": True, **{f"services.{name}": keys[f"https.{name}"] for name in ("certificate", "key")}}


def _copy(source: Path, name: str, ways: tuple[str, str] = ("", "")) -> Path:
    """Copies an application with the sensor of lab/device. `ways`: how its functions are called, before and after."""
    copy = BUILD / "lab" / f"device-{name}"
    copy.mkdir(parents=True, exist_ok=True)
    for path in (*DEVICE.glob("sensor.*"), *source.iterdir()):
        secured.write(copy / path.name, path.read_text().replace(f'as="{ways[0]}"', f'as="{ways[1]}"'))
    return copy


def _held(image: Footprint) -> int:
    """Returns RAM without the shared buffer, and the part for a stored message besides arguments and input."""
    endpoints = (one.generator.endpoint for one in image.built.application.resources if one.generator)
    kept = max((SOAP_KEPT + endpoint.security_kept for endpoint in endpoints if endpoint), default=0)
    return image.sizes.ram - image.built.application.limits.buffer + kept
