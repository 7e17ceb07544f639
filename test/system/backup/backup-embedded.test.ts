// A backup of the embedded queue (backup.suite.ts).
import { backupSuite } from './backup.suite.ts'
import { embeddedStore } from './stores.ts'

backupSuite(embeddedStore, { memory: 'of the backup', waiting: 'not done again' }, { isShared: false })
