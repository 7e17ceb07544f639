// A project's bare repository: creation, size, housekeeping, and fetches from others, here and elsewhere over HTTP.
import { mkdir } from 'node:fs/promises'
import { refuse } from '../http/error-response.ts'
import { decoded } from '../http/params.ts'
import { repositoryFolder, type World } from '../storage/world.ts'
import { hasCommit, isRefName, isSha, pointHead } from './refs.ts'

/** git runs the other side without our settings; repeat the one it needs. */
const otherSide = "--upload-pack=git -c 'safe.directory=*' upload-pack"

async function fetchFrom(world: World, from: number, to: number, refspecs: readonly string[]) {
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--atomic', otherSide]
  const args = ['fetch', ...options, repositoryFolder(world, from), ...refspecs]
  await world.git.text(to, args, { environment: { GIT_ALLOW_PROTOCOL: 'file' } })
}

/** The ref that keeps a commit from being deleted, even if no branch contains it. */
const keepAround = (sha: string) => `refs/keep-around/${sha}`

/** Keeps a commit after forced pushes, since diff versions need it, and points another ref at it as well. */
export async function keepCommit(world: World, projectId: number, sha: string, ref?: string): Promise<void> {
  const refs = [keepAround(sha), ...(ref === undefined ? [] : [ref])]
  await world.git.text(projectId, ['update-ref', '--stdin'], {
    input: refs.map((each) => `update ${each} ${sha}\n`).join(''),
  })
}

/**
 * Copies a commit with its history from one project to another, retains it there, and points `ref` at it. Throws 404
 * when the source no longer has it.
 */
export async function fetchInto(world: World, fromProjectId: number, toProjectId: number, sha: string, ref?: string) {
  if (!isSha(sha) || !(await hasCommit(world, fromProjectId, sha))) throw refuse(404, '404 Commit Not Found')
  if (fromProjectId !== toProjectId && !(await hasCommit(world, toProjectId, sha))) {
    await fetchFrom(world, fromProjectId, toProjectId, [`+${sha}:${keepAround(sha)}`])
  }
  await keepCommit(world, toProjectId, sha, ref)
}

/** Makes a fork's repository: branches, tags and HEAD only. */
export async function cloneRepository(world: World, fromProjectId: number, toProjectId: number): Promise<void> {
  await createRepository(world, toProjectId, await world.git.line(fromProjectId, ['symbolic-ref', '--short', 'HEAD']))
  await fetchFrom(world, fromProjectId, toProjectId, ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'])
}

/** An empty bare repository whose HEAD names the given branch. */
export async function createRepository(world: World, projectId: number, branch: string): Promise<void> {
  await mkdir(repositoryFolder(world, projectId), { recursive: true })
  // Explicit branch and no template: the machine's configuration and hooks stay out.
  await world.git.text(projectId, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`])
}

/** Unreferenced objects stay for git's two weeks, so that a push under way does not lose what it sent. */
export async function collectGarbage(world: World, projectId: number): Promise<void> {
  const result = await world.git.run(projectId, ['gc', '--quiet'])
  if (result.code === 0) return
  if (result.stderr.includes('gc is already running'))
    throw refuse(409, 'Housekeeping is already under way for this project')
  throw new Error(`git gc failed (${result.code}): ${result.stderr.trim()}`)
}

/** Bytes of its objects; 0 when it is gone. */
export async function repositorySize(world: World, projectId: number): Promise<number> {
  const { stdout } = await world.git.run(projectId, ['count-objects', '-v'])
  const kilobytes = [...stdout.toString().matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, size]) => Number(size))
  return 1024 * kilobytes.reduce((sum, size) => sum + size, 0)
}

const tenMinutes = 10 * 60 * 1000
/** Neither an URL nor a redirect reaches a local program or file. */
const httpOnly = { GIT_ALLOW_PROTOCOL: 'http:https' }

/**
 * Updates branches and tags from `url`; diverged branches stay. Returns an error message without the URL's password, or
 * null. The caller announces the refs.
 */
export async function fetchMirror(world: World, projectId: number, url: string, timeLimit = tenMinutes) {
  if (!isMirrorUrl(url)) return 'Import URL is blocked: Only allowed schemes are http, https'
  const options = { environment: httpOnly, timeLimit }
  const wasEmpty = (await world.git.text(projectId, ['for-each-ref', '--count=1', 'refs/heads'])) === ''
  const refspecs = ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*']
  const fetched = await world.git.run(
    projectId,
    ['fetch', '--no-tags', '--no-write-fetch-head', '--', url, ...refspecs],
    options,
  )
  // ` ! [rejected]  master -> master  (non-fast-forward)`
  const moved = [...fetched.stderr.matchAll(/^ ! \[rejected\]\s+(\S+)\s+->/gm)].map(([, name = '']) => name)
  if (fetched.code !== 0 && moved.length === 0) return problem(fetched, url, timeLimit)
  if (wasEmpty) await followHead(world, projectId, url, options)
  return moved.length === 0
    ? null
    : `These have diverged from their upstream counterparts and were left alone: ${moved.join(', ')}`
}

/** HTTP with a host. */
export function isMirrorUrl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x20\x7f]/.test(text) || !/^https?:\/\//i.test(text)) return false
  return URL.canParse(text) && new URL(text).hostname !== ''
}

/** HEAD of an empty repository follows the remote's. */
async function followHead(
  world: World,
  projectId: number,
  url: string,
  options: { environment: Record<string, string>; timeLimit: number },
) {
  const listing = await world.git.run(projectId, ['ls-remote', '--symref', '--', url, 'HEAD'], options)
  const head = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listing.stdout.toString())?.[1]
  // Some servers do not say; then the first branch becomes the default.
  if (head === undefined || !isRefName(head)) return
  const exists = (await world.git.run(projectId, ['show-ref', '--verify', '--quiet', `refs/heads/${head}`])).code === 0
  if (exists) await pointHead(world, projectId, head)
}

/** Code -1: the process was ended. */
function problem({ code, stderr }: { code: number; stderr: string }, url: string, timeLimit: number) {
  if (code === -1) return `The repository did not arrive within ${Math.ceil(timeLimit / 1000)} seconds`
  const said = stderr
    .split('\n')
    .filter((line) => /^(?:fatal|error|remote): /.test(line))
    .join('\n')
  return withoutSecrets(said === '' ? stderr : said, url).trim()
}

/** Removes user name and password of the URL from git's output. */
function withoutSecrets(text: string, url: string): string {
  const { username, password } = new URL(url)
  const secret = password === '' ? username : password
  const known = [secret, decoded(secret) ?? ''].filter((each) => each !== '')
  return known.reduce(
    (cleaned, each) => cleaned.replaceAll(each, '*****'),
    text.replace(/(\bhttps?:\/\/)[^/\s]*@/gi, '$1*****@'),
  )
}
