// A real browser for the tests of the dashboard: Debian's chromium, where there is one.
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright-core'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((each) =>
  existsSync(each),
)
/** Undefined where there is a browser; else the line that says why these tests are skipped. */
export const noBrowser = program === undefined ? 'skipped: no browser here (apt-get install chromium)' : undefined

const shots = resolve(import.meta.dirname, '../../../test-output/screenshots')
const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The dashboard at that address in a browser of its own, logged in. Close it with `closeDashboard`. */
export async function openDashboard(url: string, token: string): Promise<Page> {
  await mkdir(shots, { recursive: true })
  const browser = await chromium.launch({
    ...(program === undefined ? {} : { executablePath: program }),
    // Root has no sandbox of its own in a container.
    args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
  })
  const page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  await logInto(page, `${url}/admin/decisions`, token)
  await page.getByRole('heading', { name: 'Decisions' }).waitFor()
  return page
}

export const closeDashboard = (page: Page | undefined) => page?.context().browser()?.close()

/** Opens a page without a session, and logs in. */
export async function logInto(page: Page, url: string, token: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Admin token').fill(token)
  await page.getByRole('button', { name: 'Log in' }).click()
}

export const looks = [
  { look: 'light', width: 1280, colorScheme: 'light' },
  { look: 'dark', width: 1280, colorScheme: 'dark' },
  { look: 'phone', width: 390, colorScheme: 'light' },
] as const

export const screenHeight = 844

export interface Seen {
  /** What axe-core finds, and where. */
  violations: string[]
  /** What reaches out of the window, by its tag and class. */
  tooWide: string[]
}

/** Looks at the page that is open, light, dark and on a phone; keeps a picture of each. */
export async function lookAt(page: Page, name: string): Promise<Record<string, Seen>> {
  const seen: Record<string, Seen> = {}
  // Past the content-security policy, which forbids scripts that are not ours.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: await axe })
  for (const { look, width, colorScheme } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: screenHeight })
    await page.screenshot({ path: join(shots, `${name}-${look}.png`), fullPage: true })
    seen[look] = { violations: await violationsOf(session), tooWide: await page.evaluate(tooWide) }
  }
  await session.detach()
  await page.setViewportSize({ width: looks[0].width, height: screenHeight })
  return seen
}

export const fine: Record<string, Seen> = Object.fromEntries(
  looks.map(({ look }) => [look, { violations: [], tooWide: [] }]),
)

async function violationsOf(session: CDPSession): Promise<string[]> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
      .map(({ id, help, nodes }) => id + ': ' + help + ': ' + nodes.map(({ html }) => html).join(' ')))`,
    awaitPromise: true,
    returnByValue: true,
  })
  return result.value
}

/** Runs in the browser. */
function tooWide(): string[] {
  const isInBoxOfItsOwn = (each: Element) => each.closest('.scrolls, .unseen, .skip') !== null
  return [...document.querySelectorAll('body *')]
    .filter((each) => each.getBoundingClientRect().right > window.innerWidth + 0.5 && !isInBoxOfItsOwn(each))
    .map((each) => `${each.tagName.toLowerCase()}.${each.className}`)
}
