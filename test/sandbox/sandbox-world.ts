// A sandbox for one test, with verbs; every successful response is checked against the contract.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { test as bareTest, expect, onTestFinished } from 'vitest'
import { runGit } from '../../src/git/start-git.ts'
import { machineVariables } from '../../src/sandbox/git/git.ts'
import type { Tier } from '../../src/sandbox/installation.ts'
import { type SandboxOptions, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { listening } from '../listening.ts'
import { expectContract } from './expect-contract.ts'
import { prepared } from './prepared-world.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; the contract is checked besides
export type Json = any
export interface Answer {
  status: number
  headers: Headers
  body: Json
}
export interface GitRun {
  code: number
  output: string
}
export type World = Awaited<ReturnType<typeof openWorld>>
export type Caller = ReturnType<typeof verbsOf>
type Person = { id: number; token: string } & Caller
type Settings = Record<string, unknown>

/** A form goes as it is, anything else as JSON. */
export async function callApi(
  url: string,
  method: string,
  path: string,
  body: unknown,
  token: string | null,
): Promise<Answer> {
  const isJson = body !== undefined && !(body instanceof FormData)
  const response = await fetch(`${url}/api/v4${path}`, {
    method,
    headers: {
      ...(token !== null && { 'PRIVATE-TOKEN': token }),
      ...(isJson && { 'Content-Type': 'application/json' }),
    },
    redirect: 'manual',
    body: isJson ? JSON.stringify(body) : ((body as FormData | undefined) ?? null),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json') === true
  const { status, headers } = response
  return { status, headers, body: text === '' ? null : json ? JSON.parse(text) : text }
}

/** What the owner of a token can do, or nobody with null; another token may be given for a call. */
export function verbsOf(url: string, own: string | null) {
  async function call(method: string, path: string, body?: unknown, token = own): Promise<Answer> {
    const answer = await callApi(url, method, path, body, token)
    if (answer.status < 400) expectContract(method, path, answer)
    return answer
  }
  /** Gives the body of a call that must succeed. */
  async function done(method: string, path: string, body?: unknown, token = own): Promise<Json> {
    const answer = await call(method, path, body, token)
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(400)
    return answer.body
  }
  return {
    call,
    done,
    /** The status, or status and body, or the body of a call, whatever the status. */
    status: async (...given: Parameters<typeof call>) => (await call(...given)).status,
    answer: async (...given: Parameters<typeof call>) => call(...given).then(({ status, body }) => [status, body]),
    body: async (...given: Parameters<typeof call>) => (await call(...given)).body,
    get: (path: string, token?: string | null) => done('GET', path, undefined, token),
    post: (path: string, body?: unknown, token?: string | null) => done('POST', path, body, token),
    put: (path: string, body?: unknown, token?: string | null) => done('PUT', path, body, token),
    delete: (path: string, token?: string | null) => done('DELETE', path, undefined, token),
    /** One field of each record of a list. */
    list: async (field: string, path: string, token?: string | null) =>
      (await done('GET', path, undefined, token)).map((record: Json) => record[field]),
  }
}

/** Starts a sandbox, and removes it when the test ends. */
export async function openWorld(
  options: Pick<SandboxOptions, 'gate' | 'recordCalls' | 'random' | 'tier' | 'clock'> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  const sandbox = await startSandbox({ rootToken: 'root-token', folder, ...options })
  onTestFinished(async () => {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  })

  const root = verbsOf(sandbox.url, 'root-token')
  const { done } = root

  async function git(where: string, ...args: string[]): Promise<GitRun> {
    const env = {
      ...machineVariables(),
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
    }
    const { code, stdout, stderr } = await runGit({ args: ['-C', where, ...args], env, mostOutput: 2 ** 28 }).output
    return { code, output: stdout + stderr }
  }

  /** A project's URL for git, with a token or without. */
  function remote(path: string, token: string | null): string {
    return `${token === null ? sandbox.url : sandbox.url.replace('//', `//any:${token}@`)}/${path}.git`
  }

  /** Not copied into worlds that record calls, nor for keys with ids of this world. */
  async function prepare<T>(key: unknown, make: (own: World) => Promise<T>): Promise<T> {
    const isOwn = options.recordCalls === true || /_ids?"/.test(JSON.stringify(key))
    return isOwn ? make(world) : prepared(world, { key, make, openWorld })
  }

  const world = {
    ...root,
    /** Calls without a token. */
    nobody: verbsOf(sandbox.url, null),
    sandbox,
    url: sandbox.url,
    idle: () => sandbox.idle(),
    folder,
    git,
    /** What git says in the repository of a project. */
    inRepository: async (id: number, ...args: string[]) =>
      (await git(join(folder, 'repositories', `${id}.git`), ...args)).output.trim(),
    remote,
    /** Clones from the repository’s folder, which starts fewer processes; fetch and push go over HTTP. */
    async clone(path: string, token: string | null = 'root-token'): Promise<string> {
      const where = await mkdtemp(join(folder, 'clone-'))
      const id = await sandbox.within(async (inside) => inside.projects.first('path', path)?.id)
      const run = await git(where, 'clone', '--quiet', join(folder, 'repositories', `${id}.git`), '.')
      expect(run.code, run.output).toBe(0)
      await git(where, 'remote', 'set-url', 'origin', remote(path, token))
      return where
    },
    /** Clones as a user does. */
    async cloneOverHttp(path: string, token: string | null = 'root-token'): Promise<string> {
      const where = await mkdtemp(join(folder, 'clone-'))
      const run = await git(where, 'clone', '--quiet', remote(path, token), '.')
      expect(run.code, run.output).toBe(0)
      return where
    },
    /** Commits one file in a clone. */
    async commit(where: string, path: string, content: string, message = `Write ${path}`): Promise<string> {
      await writeFile(join(where, path), content)
      await git(where, 'add', '--all')
      const run = await git(where, 'commit', '--quiet', '-m', message)
      expect(run.code, run.output).toBe(0)
      return (await git(where, 'rev-parse', 'HEAD')).output.trim()
    },
    push: (where: string, ref: string) => git(where, 'push', '--quiet', 'origin', ref),
    checkout: (where: string, branch: string) => git(where, 'checkout', '--quiet', branch),
    /** A commit status in project 1. */
    report: (sha: string, state: string): Promise<Json> => done('POST', `/projects/1/statuses/${sha}`, { state }),
    /** A merge request of a branch of project 1 into master. */
    open: (source_branch: string, title: string): Promise<Json> =>
      done('POST', '/projects/1/merge_requests', { source_branch, target_branch: 'master', title }),
    /** Rebases merge request 1 of project 1 to the end. */
    async rebase(token?: string): Promise<void> {
      await world.put(`${mr}/rebase`, undefined, token)
      await sandbox.idle()
    },
    /** A user who is a member of project 1, or of another place. */
    async member(username: string, level: number, place?: string): Promise<Person> {
      const user = await world.user(username)
      await world.join(user, level, place)
      return user
    },
    /** A user with a token, who can call as root can. */
    async user(username: string, more: Settings = {}): Promise<Person> {
      const names = { username, name: username, email: `${username}@example.com` }
      const { id } = await done('POST', '/users', { ...names, ...more })
      const given = { name: 'test', scopes: ['api'] }
      const { token } = await done('POST', `/users/${id}/personal_access_tokens`, given)
      return { id, token, ...verbsOf(sandbox.url, token) }
    },
    /** Makes a user a member of project 1, or of another place. */
    join: ({ id }: { id: number }, access_level: number, place = 'projects/1'): Promise<Json> =>
      done('POST', `/${place}/members`, { user_id: id, access_level }),
    /** A group whose path is its name in lower case. */
    group: (name: string, more: Settings = {}): Promise<Json> =>
      done('POST', '/groups', { name, path: name.toLowerCase(), ...more }),
    /** Users with these names. */
    async people<const N extends readonly string[]>(...names: N) {
      const made: Person[] = []
      for (const name of names) made.push(await world.user(name))
      return made as { [K in keyof N]: Person }
    },
    /** A project of root with one commit on master. */
    project: (settings: Settings = {}): Promise<Json> =>
      prepare(['project', settings], (own) => makeProject(own, settings)),
    /** A commit in project 1 that writes one file. */
    write: (branch: string, path: string, content: string, action = 'create'): Promise<Json> =>
      world.writeIn(1, branch, path, { content, action }),
    /** A commit through the API that writes one file on a branch, made from master when it is new. */
    async writeIn(
      project: number,
      branch: string,
      path: string,
      { content = path, action = 'create', token }: { content?: string; action?: string; token?: string } = {},
    ): Promise<Json> {
      const refs = await sandbox.within(async (inside) => inside.projects.get(project)?.known_refs ?? {})
      const isNew = refs['refs/heads/master'] !== undefined && refs[`refs/heads/${branch}`] === undefined
      const commit = { ...commitOf(branch, path, content), ...(isNew && { start_branch: 'master' }) }
      const actions = [{ action, file_path: path, content }]
      return done('POST', `/projects/${project}/repository/commits`, { ...commit, actions }, token)
    },
    /** A project, a branch `feature` with one new file, and a merge request of it into master. */
    mergeRequest: (settings: { project?: Settings; mr?: Settings } = {}): Promise<Json> =>
      prepare(['merge request', settings], (own) => makeMergeRequest(own, settings)),
    /** Runs `make` in this world, or copies what another test of this run made. */
    prepare,
    /** A receiver with a hook of project 1. What it tells by a function is told once nothing is under way any more. */
    async receiver(flags: Record<string, unknown> = {}) {
      const received: { headers: IncomingHttpHeaders; payload: Json }[] = []
      const url = await listen((headers, payload) => void received.push({ headers, payload }))
      const { id } = await done('POST', '/projects/1/hooks', { url, push_events: false, ...flags })
      const payloads = async (): Promise<Json[]> => {
        await sandbox.idle()
        return received.map(({ payload }) => payload)
      }
      return {
        id: Number(id),
        received,
        payloads,
        /** Such as `merge_request update` and `push refs/heads/master`. */
        events: async () =>
          (await payloads()).map(
            ({ object_kind, object_attributes: of, ref }) => `${object_kind} ${of?.action ?? of?.status ?? ref}`,
          ),
      }
    },
  }
  return world
}

/** Checks each case; the report has the failures of all of them, with their cases. */
export async function eachCase<const C extends readonly unknown[]>(
  cases: C,
  check: (given: C[number]) => Promise<void>,
): Promise<void> {
  const failures: string[] = []
  for (const given of cases)
    await check(given).catch((error) => failures.push(`${JSON.stringify(given)?.slice(0, 300)}: ${error}`))
  expect(failures).toEqual([])
}

/** A world with a project of root that has one commit. */
export async function openProject(settings: Settings = {}): Promise<World> {
  const world = await openWorld()
  await world.project(settings)
  return world
}

/** A world with a merge request of a branch `feature` into master. */
export async function openMergeRequest({
  tier = 'premium',
  ...settings
}: {
  project?: Settings
  mr?: Settings
  tier?: Tier
} = {}): Promise<World> {
  const world = await openWorld({ tier })
  await world.mergeRequest(settings)
  return world
}

/** The merge request of `withMergeRequest`. */
export const mr = '/projects/1/merge_requests/1'

/** A test that gets a new world of its own, by what it asks for. */
export const test = bareTest
  .extend('world', () => openWorld())
  .extend('withProject', () => openProject())
  .extend('withMergeRequest', () => openMergeRequest())

async function makeProject({ done }: World, settings: Settings = {}): Promise<Json> {
  const project = await done('POST', '/projects', { name: 'app', ...settings })
  const first = { ...commitOf('master', 'README.md', 'one\ntwo\nthree\n'), commit_message: 'Begin' }
  await done('POST', `/projects/${project.id}/repository/commits`, first)
  return project
}

async function makeMergeRequest(own: World, { project, mr }: { project?: Settings; mr?: Settings }): Promise<Json> {
  const { id } = await own.project(project)
  const commit = { ...commitOf('feature', 'feature.txt', 'new\n'), start_branch: 'master' }
  await own.done('POST', `/projects/${id}/repository/commits`, commit)
  const branches = { source_branch: 'feature', target_branch: 'master' }
  return own.done('POST', `/projects/${id}/merge_requests`, { ...branches, title: 'Add the feature', ...mr })
}

function commitOf(branch: string, file_path: string, content: string) {
  return { branch, commit_message: `Write ${file_path}`, actions: [{ action: 'create', file_path, content }] }
}

/** A receiver on a free port that answers 200. */
export async function listen(
  take: (headers: IncomingHttpHeaders, payload: Json) => void | Promise<void>,
): Promise<string> {
  const url = await serve(
    createServer(async (request, response) => {
      await take(request.headers, await json(request))
      response.end('fine')
    }),
  )
  return `${url}/hook`
}

/** The address of a server that is gone when the test is over. */
export async function serve(server: Server | SecureServer): Promise<string> {
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return listening(server)
}
