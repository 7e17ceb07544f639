// SIGTERM with the embedded queue.
import { ownFolder } from '../../cli/own-folder.ts'
import { prepareQueue } from '../../prepared-database.ts'
import { shutdownSuite } from './shutdown.suite.ts'

describe.sequential('on the embedded queue', () => {
  const { folder } = ownFolder()
  beforeAll(() => prepareQueue(folder))
  shutdownSuite(() => `embedded:${folder}`)
})
