# SPDX-License-Identifier: MIT
"""Settings in [https] of app.toml change the image as documented, in virtual time."""

from whit.image.build import build
from whit.paths import ROOT
from whit_lab.instruments import secured
from whit_lab.instruments.secured import Secured
from whit_testbed.client import State
from whit_testbed.engine import Engine
from whit_testbed.net import Net

APP = ROOT / "tests" / "apps" / "secure"


def test_no_plain_http_and_strict_transport_security():
    only = {"https.port": 443, "https.plain": "off", "https.hsts": 31536000}
    image = build(APP, target="inprocess", overrides=secured.settings() | only).image
    with Engine(image, key=secured.device_key()) as engine:
        net = Net(engine)
        connection = net.host().connect(remote_port=80)
        net.idle(1)
        assert connection.state is State.CLOSED  # it was refused
        client = Secured(net)
        for target in ("/", "/nowhere", "/big"):
            response = client.get(target)
            assert (response.field("Strict-Transport-Security") == "max-age=31536000") == (response.status == 200)
        assert len(response.body) == 1_000_000
