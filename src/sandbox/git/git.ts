// Git for the repositories of a sandbox, with an environment of its own, without the machine's configuration.
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex, Readable, Writable } from 'node:stream'
import {
  checkGit as checkVersion,
  GitMissing,
  type GitOutput,
  runGit,
  gitEnvironment as safeEnvironment,
  startGit,
} from '../../git/start-git.ts'

const hint =
  'git 2.38 or newer with http-backend is needed: install the git package (Debian: apt-get install git, Alpine: apk add git git-daemon)'
/** Larger output is refused instead of held in memory. */
const mostOutput = 256 * 1024 * 1024
const settings: Record<string, string> = {
  'safe.directory': '*',
  'core.quotePath': 'false',
  // Background maintenance would write while the folder is removed.
  'gc.auto': '0',
  'receive.autogc': 'false',
  'tar.tar.bz2.command': 'bzip2 -c',
  'receive.advertisePushOptions': 'true',
  'maintenance.auto': 'false',
  'receive.hideRefs': 'refs/merge-requests',
  // Internal refs: not fetchable, not pushable.
  'transfer.hideRefs': 'refs/keep-around',
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
}

export interface GitIdentity {
  name: string
  email: string
}
interface GitOptions {
  input?: string | Buffer
  /** The author of new commits. */
  author?: GitIdentity
  committer?: GitIdentity
  environment?: Record<string, string>
  /** Milliseconds until the process and its children are ended. */
  timeLimit?: number
}
/** A project's id, or the folder of a bare repository. */
type Repository = number | string

export type Git = ReturnType<typeof createGit>

/** git refuses names without letters or digits, and strips line breaks and angle brackets. */
export function cleanPerson({ name, email }: GitIdentity): GitIdentity {
  const clean = (text: string) => text.replace(/[\r\n<>]/g, ' ').trim()
  return { name: /[\p{L}\p{N}]/u.test(name) ? clean(name) : 'Unknown', email: clean(email) }
}

export function machineVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_'),
    ),
  )
}

/** Only our git variables, and the machine's others (PATH, temporary folders). */
export function gitEnvironment(
  people: Pick<GitOptions, 'author' | 'committer'> = {},
  config: Record<string, string> = {},
): Record<string, string> {
  const author = cleanPerson(people.author ?? { name: 'Sandbox', email: 'sandbox@example.com' })
  const committer = cleanPerson(people.committer ?? author)
  return {
    ...machineVariables(),
    ...safeEnvironment({ ...settings, ...config }),
    GIT_LITERAL_PATHSPECS: '1',
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  }
}

export function textOf({ code, stdout, stderr }: GitOutput, args: readonly string[]): string {
  if (code !== 0) throw new Error(`git ${args[0]} failed (${code}): ${stderr.trim()}`)
  return stdout.toString()
}

/** git for the repositories of a sandbox, `<project id>.git` in the folder. */
export function createGit(folder = '.') {
  const running = new Map<Promise<unknown>, () => void>()

  /** Runs git in a bare repository, whatever its exit code. */
  async function run(project: Repository, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
    const { timeLimit, input = '' } = options
    const repository = typeof project === 'string' ? project : join(folder, `${project}.git`)
    const env = { ...gitEnvironment(options), ...options.environment }
    const ofRepository = [`--git-dir=${repository}`, ...args]
    const { output, end } = runGit({ args: ofRepository, env, input, timeoutMs: timeLimit, mostOutput })
    running.set(output, end)
    try {
      return await output
    } catch (cause) {
      throw cause instanceof GitMissing ? new Error(hint, { cause }) : cause
    } finally {
      running.delete(output)
    }
  }

  /** Returns the output; throws on failure. */
  async function text(project: Repository, args: readonly string[], options?: GitOptions): Promise<string> {
    return textOf(await run(project, args, options), args)
  }

  return {
    run,
    text,
    /** As `text`, without the blanks around it. */
    line: async (project: Repository, args: readonly string[], options?: GitOptions) =>
      (await text(project, args, options)).trim(),
    /**
     * Starts git with streams for the caller. `hooks`: a hooks folder; hooks ask their questions over stream 3.
     * `ended` resolves when the process has ended and its output is complete, or it could not be started.
     */
    start(args: readonly string[], environment: Record<string, string>, hooks?: string) {
      const env = { ...gitEnvironment({}, hooks === undefined ? {} : { 'core.hooksPath': hooks }), ...environment }
      const { child, end } = startGit(args, env, {
        stdio: ['pipe', 'pipe', 'ignore', ...(hooks === undefined ? [] : ['pipe' as const])],
      })
      const [input, output, , questions] = child.stdio as unknown as [Writable, Readable, null, Duplex | undefined]
      for (const stream of [input, output, questions]) stream?.on('error', () => undefined)
      // Do not wait for output that nobody reads.
      child.once('exit', () => output.resume())
      const ended = new Promise<void>((resolve) => {
        child.once('close', () => resolve())
        child.once('error', () => resolve())
      })
      running.set(ended, end)
      void ended.then(() => running.delete(ended))
      return { input, output, questions, ended, end }
    },
    /** Ends all running processes. */
    async close() {
      for (const end of running.values()) end()
      await Promise.allSettled(running.keys())
    },
  }
}

const checkedPaths = new Set<string>()

/** Throws one line that says what to install when git is missing, older than 2.38, or without http-backend. */
export async function checkGit(): Promise<void> {
  const path = process.env.PATH ?? ''
  if (checkedPaths.has(path)) return
  try {
    await checkVersion(path)
    const folder = await createGit().line('.', ['--exec-path'])
    await access(join(folder, 'git-http-backend'), constants.X_OK)
  } catch (cause) {
    throw new Error(hint, { cause })
  }
  checkedPaths.add(path)
}
