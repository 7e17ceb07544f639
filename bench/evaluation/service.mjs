// A hosting service that answers each request after so many milliseconds with what an evaluation asks for:
// `node service.mjs 5` prints its port, counts reads of merge requests, and tells when the next call comes.
import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'

const answersAfterMs = Number(process.argv[2])
const sha = 'a'.repeat(40)
let evaluations = 0
const calls = new EventEmitter()

const mergeRequest = (iid) => ({
  ...{
    id: 1000 + iid,
    iid,
    project_id: 7,
    source_project_id: 7,
    target_project_id: 7,
    state: 'opened',
    title: 'Mend the door',
  },
  ...{
    description: '',
    work_in_progress: false,
    labels: [],
    author: { id: 2, username: 'alice' },
    target_branch: 'main',
  },
  ...{
    source_branch: `b-${iid}`,
    sha,
    merge_status: 'can_be_merged',
    updated_at: '2026-11-22T00:00:00Z',
    created_at: '2026-11-22T00:00:00Z',
  },
})

/** Undefined: there is no such thing. */
function answerTo(path) {
  if (path === '/user') return { id: 9, username: 'bellhop' }
  if (path === '/projects/7') return { id: 7, path_with_namespace: 'bench/app', default_branch: 'main' }
  if (path === '/projects/7/repository/branches/main') return { name: 'main', commit: { id: sha } }
  const iid = /^\/projects\/7\/merge_requests\/(\d+)$/.exec(path)?.[1]
  if (iid === undefined) return undefined
  evaluations += 1
  return mergeRequest(Number(iid))
}

const server = createServer((request, response) => {
  if (request.url === '/evaluations') {
    response.end(String(evaluations))
    evaluations = 0
    return
  }
  if (request.url === '/next-call') {
    // Headers at once, so that the asker knows that it listens; milliseconds since the epoch when the call is there.
    response.flushHeaders()
    calls.once('call', (at) => response.end(String(at)))
    return
  }
  calls.emit('call', performance.timeOrigin + performance.now())
  const found = answerTo(new URL(request.url, 'http://service').pathname.replace(/^\/api\/v4/, ''))
  const body = JSON.stringify(found ?? { message: '404 Not Found' })
  setTimeout(() => {
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': 'application/json',
      'content-length': body.length,
    })
    response.end(body)
  }, answersAfterMs)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`))
