// The built bot, file by file as in `src/`. It counts its functions and its SQL while its parent asks for that.
import { Session } from 'node:inspector/promises'
import { PGlite } from '@electric-sql/pglite'
import { main } from '../../dist/cli/main.js'

let statements = []
for (const method of ['query', 'exec']) {
  const own = PGlite.prototype[method]
  PGlite.prototype[method] = function counted(text, ...given) {
    statements.push(text)
    return own.call(this, text, ...given)
  }
}

const session = new Session()
session.connect()
process.on('message', async (what) => {
  if (what === 'start') {
    await session.post('Profiler.enable')
    // Without detail: a function is counted, its branches are not.
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    statements = []
    process.send({ is: 'started' })
  } else {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    process.send({ is: 'taken', scripts: result, statements })
  }
})
await main(process.argv.slice(2))
