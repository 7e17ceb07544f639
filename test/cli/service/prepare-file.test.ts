// A token file is prepared next to its target; a token that cannot be moved into place stays where the error says.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareFile, ReplaceError } from '../../../src/cli/service/prepare-file.ts'
import { UserError } from '../../../src/cli/user-error.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellhop-prepare-'))
  file = join(folder, 'token')
  await writeFile(file, 'old\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('the file is replaced whole', async () => {
  const prepared = await prepareFile(file)
  expect(await readFile(file, 'utf8')).toBe('old\n')
  await prepared.replace('new')
  expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['new\n', ['token']])
})

test.each([0o600, 0o640, 0o644])('a file of mode %o keeps it', async (mode) => {
  await chmod(file, mode)
  await (await prepareFile(file)).replace('new')
  expect((await stat(file)).mode & 0o777).toBe(mode)
})

test('what was prepared can be discarded', async () => {
  await (await prepareFile(file)).discard()
  expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['old\n', ['token']])
})

test('a second one waits for nobody: it is refused', async () => {
  const first = await prepareFile(file)
  await expect(prepareFile(file)).rejects.toThrow(UserError)
  await first.discard()
})

test('a missing file is refused', async () => {
  await expect(prepareFile(join(folder, 'none'))).rejects.toThrow(/^Nothing was rotated/)
})

test('a file that is mounted by itself, which cannot be replaced, is refused', async () => {
  const mounts = join(folder, 'mountinfo')
  const line = (place: string) => `41 40 0:36 /secrets/token ${place} rw,relatime - ext4 /dev/vda1 rw\n`
  await writeFile(mounts, line('/etc/hosts') + line(file))
  await expect(prepareFile(file, { mounts })).rejects.toThrow(/^Nothing was rotated: .*it is mounted by itself/)
  expect((await readdir(folder)).sort()).toEqual(['mountinfo', 'token'])
  await writeFile(mounts, line(folder))
  await (await prepareFile(file, { mounts })).discard()
})

test('a token that cannot be moved into place stays next to it', async () => {
  const prepared = await prepareFile(file)
  await rm(file)
  await mkdir(join(file, 'in-the-way'), { recursive: true })
  await expect(prepared.replace('new')).rejects.toMatchObject({ written: true })
  await expect(prepared.replace('new')).rejects.toThrow(ReplaceError)
  expect(await readFile(prepared.newPath, 'utf8')).toBe('new\n')
})
