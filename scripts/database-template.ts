// Makes the template of the embedded database with BullMQ's tables next to the built module, in dist unless a folder is
// given:
// `node --import tsx scripts/database-template.ts [FOLDER]`.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packDatabase, unpackTemplate } from '../src/embedded-postgres/template.ts'
import { openEmbedded } from '../src/queue/postgres/embedded-backend.ts'

const built = process.argv[2] ?? resolve(import.meta.dirname, '../dist')
const file = join(built, 'embedded-postgres/template.br')
const folder = await mkdtemp(join(tmpdir(), 'bellhop-template-'))
try {
  // It takes seconds: one that fits is kept.
  const fits = existsSync(file) && (await unpackTemplate(join(folder, 'kept'), file).catch(() => false))
  if (!fits) {
    const { close } = await openEmbedded({ directory: folder, log: console.error, onProgress: () => undefined })
    await close()
    await writeFile(file, await packDatabase(join(folder, 'store')))
  }
} finally {
  await rm(folder, { recursive: true })
}
