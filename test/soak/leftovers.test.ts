// What a queue still holds when all is over is seen: a secret in its files.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storedSecrets } from '../../soak/leftovers.ts'

test('a secret in any file of the queue', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-test-'))
  try {
    await mkdir(join(folder, 'inner'))
    await writeFile(join(folder, 'inner', 'log'), Buffer.from('\0\xffhush-hush\0', 'latin1'))
    expect(await storedSecrets(folder, ['something else'])).toEqual([])
    expect(await storedSecrets(folder, ['something else', 'hush-hush'])).toMatchObject([{ detail: join(folder, 'inner', 'log') }])
  } finally {
    await rm(folder, { recursive: true })
  }
})
