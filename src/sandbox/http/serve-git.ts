// Serves git over HTTP at /<namespace>/<project>.git by git's http-backend (CGI), streaming. The pre-receive hook asks
// over a stream whether a push may pass.

import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex, Readable } from 'node:stream'
import type { Request, RequestHandler, Response } from 'express'
import { canReadCode, developer, projectLevel } from '../access/access.ts'
import { signInGit } from '../access/sign-in.ts'
import { type Complaint, checkPush, type Quarantine, type RefMove, ruleOf } from '../pushes/check-push.ts'
import { announceRefs } from '../pushes/follow-pushes.ts'
import { checkProtected } from '../pushes/protected-branches.ts'
import type { Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import type { RequestWorld } from '../storage/worlds.ts'
import type { CallRecord } from './call-record.ts'
import { sendJson } from './error-response.ts'
import type { FaultSource } from './faults.ts'
import { decoded } from './params.ts'

const address = /^\/(.+?)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/

/** git shows the message. */
const refusals = {
  unknown: [401, 'HTTP Basic: Access denied. Use a personal access token as the password.'],
  'not found': [404, 'The project you were looking for could not be found.'],
  'not allowed': [403, 'You are not allowed to push code to this project.'],
  archived: [403, 'This project is archived: it can be read, but not pushed to.'],
} as const
type RefusalReason = keyof typeof refusals

interface GitCall {
  project: Project
  caller: User | null
  /** `info/refs`, `git-upload-pack` or `git-receive-pack`. */
  action: string
  service: string
}

/** Anonymous callers read public projects; pushing needs Developer. */
export function serveGit(
  worldFor: (response: Response) => RequestWorld,
  { faults, record }: { faults?: Pick<FaultSource, 'ofGit'>; record?: CallRecord | undefined } = {},
): RequestHandler {
  return async function git(request, response, next) {
    const match = address.exec(decoded(request.path) ?? '')
    if (match === null) return next()
    const [, path = '', action = ''] = match
    const world = worldFor(response)
    const service = action === 'info/refs' ? String(request.query.service ?? '') : action
    const wantedMethod = action === 'info/refs' ? 'GET' : 'POST'
    if (request.method !== wantedMethod || (service !== 'git-upload-pack' && service !== 'git-receive-pack')) {
      return sendMessage(request, response, 403, 'Only the smart protocol is served')
    }
    const fault = faults?.ofGit()
    if (fault !== undefined) return sendMessage(request, response, fault.status, 'Git over HTTP is switched off')
    const caller = signInGit(world, request.headers, service)
    if (caller === 'refused' || caller === 'insufficient') return refuse(request, response, 'unknown')
    if (action === 'info/refs') record?.git.push({ service, caller: caller?.id ?? null })
    const project = admit(world, caller, path, service)
    if (typeof project === 'string') return refuse(request, response, project)
    await runBackend(world, { project, caller, action, service }, request, response)
  }
}

function admit(world: World, caller: User | null, path: string, service: string): Project | RefusalReason {
  const [project] = world.projects.where('path', path.toLowerCase())
  const readable = project !== undefined && canReadCode(world, caller, project)
  // Anonymous callers cannot tell missing from private.
  if (project === undefined || !readable) return caller === null ? 'unknown' : 'not found'
  if (service === 'git-upload-pack') return project
  if (caller === null) return 'unknown'
  if (projectLevel(world, caller, project) < developer) return 'not allowed'
  return project.archived ? 'archived' : project
}

function refuse(request: Request, response: Response, refused: RefusalReason) {
  const [status, reason] = refusals[refused]
  if (status === 401) response.set('WWW-Authenticate', 'Basic realm="Sandbox"')
  sendMessage(request, response, status, reason)
}

/** git gets plain text, other clients JSON. */
function sendMessage(request: Request, response: Response, status: number, reason: string) {
  if (/^git\//i.test(request.headers['user-agent'] ?? '')) response.status(status).type('text').end(`${reason}\n`)
  else sendJson(response, status, { message: reason })
}

async function runBackend(world: RequestWorld, call: GitCall, request: Request, response: Response) {
  const hooks = call.action === 'git-receive-pack' ? await installHook(world) : undefined
  const { input, output, questions, ended, end } = world.git.start(
    ['http-backend'],
    environmentOf(world, call, request),
    hooks,
  )
  const push =
    questions === undefined || call.caller === null
      ? undefined
      : answerHook(world, call.project.id, call.caller, questions)
  if (response.destroyed) end()
  response.once('close', end)
  request.pipe(input)
  relay(output, response)
  await ended
  if (call.caller !== null && push !== undefined && push.refs.length > 0)
    await announce(world, call.project, call.caller, push)
  if (!response.headersSent && !response.destroyed) response.status(500).type('text').end('git did not answer\n')
  else response.end()
}

/** Announces the push even if the connection broke, as git has taken it. The project may be gone. */
async function announce(world: RequestWorld, project: Project, user: User, { refs, skipsCi }: Push) {
  const task = async () => {
    if (world.projects.get(project.id) !== undefined) await announceRefs(world, project.id, user, refs, skipsCi)
  }
  await world.run(() => world.serialise(`project ${project.id}`, task))
}

function environmentOf(world: World, call: GitCall, request: Request): Record<string, string> {
  const header = (name: string, variable: string): Record<string, string> => {
    const value = request.headers[name]
    return typeof value === 'string' ? { [variable]: value } : {}
  }
  return {
    GIT_PROJECT_ROOT: world.folder,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${call.project.id}.git/${call.action}`,
    REQUEST_METHOD: request.method,
    QUERY_STRING: call.action === 'info/refs' ? `service=${call.service}` : '',
    REMOTE_ADDR: request.socket.remoteAddress ?? '',
    // http-backend lets only a named user push.
    ...(call.caller !== null && { REMOTE_USER: call.caller.username }),
    ...header('content-type', 'CONTENT_TYPE'),
    ...header('content-length', 'CONTENT_LENGTH'),
    ...header('content-encoding', 'HTTP_CONTENT_ENCODING'),
    ...header('git-protocol', 'GIT_PROTOCOL'),
  }
}

/** Streams a CGI response; does not end it. */
function relay(output: Readable, response: Response) {
  let head: Buffer = Buffer.alloc(0)
  let headDone = false
  const write = (chunk: Buffer) => {
    if (response.destroyed || chunk.length === 0 || response.write(chunk)) return
    output.pause()
    response.once('drain', () => output.resume())
  }
  // A caller who has left drains nothing, and the process counts as running until its output is read.
  response.once('close', () => output.resume())
  output.on('data', (chunk: Buffer) => {
    if (headDone) {
      write(chunk)
      return
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    headDone = true
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
      if (name.toLowerCase() === 'status') response.status(Number.parseInt(value, 10))
      else if (name !== '') response.setHeader(name, value)
    }
    // A large push begins with a probe, whose response is headers alone.
    if (!response.destroyed) response.flushHeaders()
    write(head.subarray(end + 4))
  })
}

/**
 * Runs before any ref moves, with new objects in quarantine. Stream 3 is inherited through http-backend and receive-
 * pack, so there is neither an address nor a secret. Fails closed: without a response, the push is refused.
 */
const script = `#!/bin/sh
{
  printf '%s\\n' "$GIT_OBJECT_DIRECTORY" "$GIT_ALTERNATE_OBJECT_DIRECTORIES"
  env | grep -cx 'GIT_PUSH_OPTION_[0-9]*=ci\\.skip'
  while IFS= read -r line; do printf '%s\\n' "$line"; done
  echo end
} >&3 || exit 1
while IFS= read -r line <&3; do
  case $line in
    accept) exit 0 ;;
    refuse) exit 1 ;;
    *) printf '%s\\n' "$line" ;;
  esac
done
exit 1
`

/** The folder for core.hooksPath. */
async function installHook(world: World): Promise<string> {
  const folder = join(world.folder, 'hooks')
  const file = join(folder, 'pre-receive')
  const present = await readFile(file, 'utf8').catch(() => undefined)
  if (present !== script) {
    await mkdir(folder, { recursive: true })
    const whole = `${file}-${randomUUID()}`
    await writeFile(whole, script, { mode: 0o755 })
    await rename(whole, file)
  }
  return folder
}

/** What a push says of itself. */
interface Push {
  refs: string[]
  /** `git push -o ci.skip`. */
  skipsCi: boolean
}

/**
 * Answers the hook of one push. Returns the refs that the push names, once the hook has asked: each of two pushes at
 * once is announced with its own user.
 */
function answerHook(world: World, projectId: number, user: User, stream: Duplex): Push {
  const push: Push = { refs: [], skipsCi: false }
  let asked = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    asked += chunk
    if (!asked.endsWith('\nend\n')) return
    const [objects = '', alternates = '', skips = '0', ...lines] = asked.split('\n').slice(0, -2)
    const moves = lines.map(readMove)
    push.refs.push(...moves.map(({ ref }) => ref))
    push.skipsCi = skips !== '0'
    const quarantine = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates }
    void verdict(world, projectId, user, moves, quarantine).then((said) => stream.end(`${said.join('\n')}\n`))
  })
  // The push may have been cancelled.
  stream.on('error', () => undefined)
  return push
}

/** Lines for the pusher, then the verdict. */
async function verdict(world: World, projectId: number, user: User, moves: readonly RefMove[], quarantine: Quarantine) {
  try {
    const project = world.projects.get(projectId)
    if (project === undefined) return ['GitLab: The project is gone', 'refuse']
    const complaints: Complaint[] = [
      ...(await checkProtected(world, project, user, moves, quarantine)),
      ...(await checkPush(world, project, ruleOf(world, project), moves, quarantine)),
    ]
    if (complaints.length === 0) return ['accept']
    const texts = complaints.map(
      ({ text, commit }) => `GitLab: ${text}${commit === undefined ? '' : ` (commit ${commit.slice(0, 8)})`}`,
    )
    return [...texts, 'refuse']
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [`GitLab: The push rules could not be checked: ${reason.replaceAll('\n', ' ')}`, 'refuse']
  }
}

/** `old new ref` */
function readMove(line: string): RefMove {
  const [before = '', after = '', ...ref] = line.split(' ')
  return { before, after, ref: ref.join(' ') }
}
