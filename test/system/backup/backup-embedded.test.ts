// Backups of the embedded queue (backup.suite.ts).
import { backupSuite } from './backup.suite.ts'
import { embeddedStore } from './stores.ts'

const outcome = { memory: 'of the backup', waiting: 'not done again' } as const

describe('a copy of the folder', () => {
  backupSuite(() => embeddedStore('copy'), outcome, { during: 'the bot is stopped' })
})

describe('a snapshot of the file system', () => {
  backupSuite(() => embeddedStore('snapshot'), outcome, { during: 'the bot runs' })
})
