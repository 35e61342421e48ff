# SPDX-License-Identifier: MIT
"""Clients that send requests again and again, by fetch() in Chromium, each on its own connections: see ask.py.

    python ask_chromium.py CHROMIUM [ARGUMENT...]

The program prints a line when the browser has started, and then reads its task.
"""

import asyncio
import json
import sys
from typing import Any

from playwright.async_api import Browser, async_playwright

PAGE = "/no-such-page"  # its error page has no parts; other targets can be fetched from it
ASK = """async ({requests, number, times, patienceMs}) => {
    const told = [];
    for (let index = 0; index < times; index++) {
        const {method, path, type, body} = requests[(number + index) % requests.length];
        const what = {method, cache: "no-store", signal: AbortSignal.timeout(patienceMs)};
        const begun = performance.now();
        let said;
        try {
            const answer = await fetch(path, type ? {...what, headers: {"Content-Type": type}, body} : what);
            await answer.arrayBuffer();
            said = String(answer.status);
        } catch (error) {
            said = String(error);
        }
        told.push([Math.round((performance.now() - begun) * 1000) / 1000, said]);
    }
    return told;
}"""


async def ask(browser: Browser, task: dict[str, Any], number: int) -> list[tuple[float, str]]:
    page = await (await browser.new_context()).new_page()
    await page.goto(f"http://{task['host']}:{task['port']}{PAGE}")
    wanted = {"requests": task["requests"], "number": number, "times": task["times"]}
    told: list[tuple[float, str]] = await page.evaluate(ASK, wanted | {"patienceMs": task["patience_s"] * 1000})
    return told


async def main(chromium: str, arguments: list[str]) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=arguments)
        print("ready", flush=True)
        task = json.loads(await asyncio.to_thread(sys.stdin.read))
        told = await asyncio.gather(*(ask(browser, task, number) for number in range(task["clients"])))
        await browser.close()
    print(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
