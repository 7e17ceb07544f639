// kill -9 of the process that holds the embedded queue.
import { ownFolder } from '../../cli/own-folder.ts'
import { prepareQueue } from '../../prepared-database.ts'
import { crashSuite } from './crash.suite.ts'

describe('on the embedded queue', () => {
  const { folder } = ownFolder()
  beforeAll(() => prepareQueue(folder))
  crashSuite(() => `embedded:${folder}`)
})
