// `bellhop token rotate`: the service makes a new token and the file gets it atomically; no failure loses it silently.
import { mkdirSync, rmSync } from 'node:fs'
import { chmod, readdir, readFile, readlink, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTokenFile } from '../../../src/cli/settings/secret-files.ts'
import { createClient } from '../../../src/client/create-client.ts'
import { openWorld, type World } from '../../sandbox/sandbox-world.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere, refuses } from '../run-here.ts'

let folder: string
let file: string
let world: World
let ann: { id: number; token: string }
beforeEach(async () => {
  folder = ownFolder().folder
  file = join(folder, 'token')
  world = await openWorld()
  ann = await world.user('ann', { bot: true })
  await writeFile(file, `${ann.token}\n`, { mode: 0o600 })
})

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10)
const content = async () => (await readFile(file, 'utf8')).trim()
const rotate = (args: readonly string[] = [], environment: Record<string, string> = {}) =>
  bellhopHere(['token', 'rotate', ...args], {
    ...{ BELLHOP_SERVICE_URL: world.url, BELLHOP_SERVICE_TOKEN_FILE: file },
    ...environment,
  })
const works = async (token: string) => (await world.status('GET', '/user', undefined, token)) === 200

test('the file has the new token, for its owner alone, and a reader continues with it', async () => {
  const given: string[] = []
  const read = openTokenFile(file, { onChange: (token) => given.push(token), onProblem: () => {} })
  const { code, out, err } = await rotate()
  expect([code, err]).toEqual([0, ''])
  const fresh = await content()
  expect(fresh).not.toBe(ann.token)
  expect(out).toBe(`${file} has the new token. It expires on ${inDays(365)} (UTC).\n`)
  expect([await works(fresh), await works(ann.token), read()]).toEqual([true, false, fresh])
  expect(given).toEqual([ann.token, fresh])
  expect([(await stat(file)).mode & 0o777, await readdir(folder)]).toEqual([0o600, ['token']])
})

test('JSON tells the file, the name and the date, never the token', async () => {
  const { out } = await rotate(['--format', 'json', '--expires-at', inDays(20)])
  expect(JSON.parse(out)).toEqual({ file, name: 'test', expires_at: inDays(20) })
  expect(out).not.toContain(await content())
})

test('a file keeps its mode, and a link stays a link', async () => {
  const link = join(folder, 'link')
  await symlink('token', link)
  await chmod(file, 0o640)
  expect((await rotate([], { BELLHOP_SERVICE_TOKEN_FILE: link })).code).toBe(0)
  expect([await readlink(link), await works(await content())]).toEqual(['token', true])
  expect((await stat(file)).mode & 0o777).toBe(0o640)
})

test('a token without a file is not rotated', async () => {
  expect(await rotate([], { BELLHOP_SERVICE_TOKEN_FILE: '', BELLHOP_SERVICE_TOKEN: ann.token })).toEqual(
    refuses(2, /^bellhop: BELLHOP_SERVICE_TOKEN_FILE is missing: .*chmod 600/),
  )
  expect(await works(ann.token)).toBe(true)
})

test.each([
  ['a date that is none', 'soon', 2, /Expected a date/],
  ['a date in the past', '2020-01-31', 1, /^bellhop: Nothing was rotated: .*cannot be a date in the past/],
])('%s is refused before', async (_name, date, code, message) => {
  const ran = await rotate(['--expires-at', date])
  expect([ran.code, ran.err]).toEqual([code, expect.stringMatching(message)])
  expect([await works(ann.token), await content(), await readdir(folder)]).toEqual([true, ann.token, ['token']])
})

test('a file that cannot be replaced is found before the token is rotated', async () => {
  await writeFile(`${file}.new`, 'something\n')
  expect(await rotate()).toEqual(refuses(1, /^bellhop: Nothing was rotated: .*token\.new exists/))
  expect([await works(ann.token), await readFile(`${file}.new`, 'utf8')]).toEqual([true, 'something\n'])
})

test('a new token that cannot be moved into place stays next to the file', async () => {
  const rewrite = (body: unknown) => {
    rmSync(file)
    mkdirSync(join(file, 'in-the-way'), { recursive: true })
    return body
  }
  world.sandbox.faults.api({ endpoint: 'users.rotateCurrentToken', do: { rewrite } })
  expect(await rotate()).toEqual(refuses(1, `If ${file}.new has the new token, move it to ${file}`))
  expect(await works((await readFile(`${file}.new`, 'utf8')).trim())).toBe(true)
})

test('after a rotation that was killed before the file was replaced, the next run names the file with the new token', async () => {
  const { body } = await createClient({ baseUrl: world.url, token: ann.token }).users.rotateCurrentToken({})
  await writeFile(`${file}.new`, `${body.token}\n`)
  expect(await rotate()).toEqual(refuses(1, `${file}.new exists.`))
  await rename(`${file}.new`, file)
  expect((await rotate()).code).toBe(0)
})

test('a token that the service refuses leaves no file behind', async () => {
  await writeFile(file, 'glpat-nobodys-token-at-all')
  expect(await rotate()).toEqual(refuses(1, /^bellhop: Nothing was rotated: .*401/))
  expect(await readdir(folder)).toEqual(['token'])
})

test('a service that cannot rotate rotates nothing', async () => {
  world.sandbox.faults.api({ endpoint: 'users.rotateCurrentToken', do: { status: 404 } })
  expect(await rotate()).toEqual(refuses(1, /^bellhop: Nothing was rotated: .*Make a new token at the service/))
  expect([await works(ann.token), await content(), await readdir(folder)]).toEqual([true, ann.token, ['token']])
})

test('a lost response is reported, for the old token may be refused by now', async () => {
  world.sandbox.faults.api({ endpoint: 'users.rotateCurrentToken', do: 'lose_response' })
  expect(await rotate()).toEqual(refuses(1, /^bellhop: The token may have been rotated, and the new one is lost/))
  expect([await works(ann.token), await readdir(folder)]).toEqual([false, ['token']])
})

test('a token in the answer that no header can carry is reported as lost', async () => {
  const rewrite = (body: unknown) => ({ ...Object(body), token: 'a\nb' })
  world.sandbox.faults.api({ endpoint: 'users.rotateCurrentToken', do: { rewrite } })
  expect(await rotate()).toEqual(refuses(1, 'no usable token'))
})
