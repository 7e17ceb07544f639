// The servers beside the receiver, each a process: `node servers.mjs KIND REDIS_URL` prints its port. `insert` takes a
// folder.
import { createServer } from 'node:http'
import { PGlite } from '@electric-sql/pglite'
import { Queue } from 'bullmq'
import express from 'express'
import { Redis } from 'ioredis'

const [kind, url] = process.argv.slice(2)
const connection = url.startsWith('redis:') ? new Redis(url, { maxRetriesPerRequest: null }) : undefined

function read(request, then) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.once('end', () => then(Buffer.concat(chunks)))
}

const answer = JSON.stringify({ ok: true })
function taken(response) {
  response.writeHead(202, { 'content-type': 'application/json', 'content-length': answer.length })
  response.end(answer)
}

const servers = {
  /** The floor: one XADD for each request. */
  xadd: () =>
    createServer((request, response) =>
      read(request, (body) => connection.xadd('floor', '*', 'body', body).then(() => taken(response))),
    ),
  /** The floor of the embedded queue: one row for each request. */
  async insert() {
    const db = await PGlite.create(url)
    await db.exec('CREATE TABLE floor (id bigserial PRIMARY KEY, body text)')
    return createServer((request, response) =>
      read(request, (body) =>
        db.query('INSERT INTO floor (body) VALUES ($1)', [body.toString('utf8')]).then(() => taken(response)),
      ),
    )
  },
  /** BullMQ's add and nothing else. */
  add: () => {
    const queue = new Queue('add', { connection })
    return createServer((request, response) =>
      read(request, (body) => queue.add('delivery', { body: body.toString('utf8') }).then(() => taken(response))),
    )
  },
  /** Express with JSON, as most bots start. */
  naive: () => {
    const queue = new Queue('naive', { connection })
    const app = express()
    app.post('/hooks', express.json({ limit: '25mb' }), async (request, response) => {
      await queue.add('delivery', request.body)
      response.status(202).json({ ok: true })
    })
    return createServer(app)
  },
}

const server = await servers[kind]()
// Idle connections stay open while others are measured.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`))
