// Receivers as others write them, each a process of its own: `node servers.mjs KIND REDIS_URL SECRET` prints its port.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { Queue } from 'bullmq'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { createNodeMiddleware, createProbot } from 'probot'

const [kind, url, secret] = process.argv.slice(2)

const servers = {
  async fastify() {
    const queue = new Queue('fastify', { connection: new Redis(url, { maxRetriesPerRequest: null }) })
    const app = Fastify({ bodyLimit: 25 * 1024 * 1024, keepAliveTimeout: 0 })
    app.post('/hooks', async (request, reply) => {
      await queue.add('delivery', request.body)
      return reply.code(202).send({ ok: true })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },
  /** Proves each delivery by its signature, and keeps none. */
  async probot() {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    const probot = createProbot({ overrides: { appId: 1, privateKey, secret, logLevel: 'fatal' } })
    const middleware = await createNodeMiddleware(() => undefined, { probot, webhooksPath: '/hooks' })
    const server = createServer((request, response) =>
      middleware(request, response, () => response.writeHead(404).end()),
    )
    server.keepAliveTimeout = 0
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
  },
}

const server = await servers[kind]()
process.stdout.write(`port ${server.address().port}\n`)
