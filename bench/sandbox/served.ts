// The measured process: a filled sandbox, and beside it a bare Express handler that answers whatever bytes it is given.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { fill } from './fill.ts'

/** What the parent is told once everything stands. */
export interface Served {
  sandbox: string
  bare: string
  token: string
}

const [mergeable, others] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'bench-sandbox-'))
const sandbox = await startSandbox({ rootToken: 'bench', folder })
await fill(sandbox, { mergeable: Number(mergeable), others: Number(others) })

let answer: Buffer = Buffer.from('')
const bare = express()
bare.disable('x-powered-by').disable('etag')
bare.put('/answer', express.raw({ type: () => true, limit: '100mb' }), (request, response) => {
  answer = request.body
  response.end()
})
bare.all('/{*path}', (_request, response) => {
  response.type('json').send(answer)
})
const server = bare.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const served: Served = { sandbox: sandbox.url, bare: `http://127.0.0.1:${port}`, token: sandbox.token }
  process.send?.(served)
})
process.once('disconnect', async () => {
  server.closeAllConnections()
  server.close()
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})
