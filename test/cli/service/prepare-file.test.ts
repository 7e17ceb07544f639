// Checks before a token file is replaced, and where an unmovable token stays; the rest: commands/token.test.ts.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareFile, ReplaceError } from '../../../src/cli/service/rotate-token.ts'
import { ownFolder } from '../own-folder.ts'

let own: ReturnType<typeof ownFolder>
let file: string
beforeEach(() => {
  own = ownFolder()
  file = own.write('token', 'old\n')
})

test('a missing file is refused', async () => {
  await expect(prepareFile(join(own.folder, 'none'))).rejects.toThrow(/^Nothing was rotated/)
})

test('a file that is mounted by itself, which cannot be replaced, is refused', async () => {
  const line = (place: string) => `41 40 0:36 /secrets/token ${place} rw,relatime - ext4 /dev/vda1 rw\n`
  const mounts = own.write('mountinfo', line('/etc/hosts') + line(file))
  await expect(prepareFile(file, { mounts })).rejects.toThrow(/^Nothing was rotated: .*it is mounted by itself/)
  expect((await readdir(own.folder)).sort()).toEqual(['mountinfo', 'token'])
  own.write('mountinfo', line(own.folder))
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
