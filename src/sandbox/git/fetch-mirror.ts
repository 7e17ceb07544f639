// Fetches branches and tags from elsewhere over HTTP: import_url and mirror/pull.
import { decoded } from '../http/read-request.ts'
import type { World } from '../storage/world.ts'
import { isRefName, pointHead } from './refs.ts'

const tenMinutes = 10 * 60 * 1000
/** Neither an URL nor a redirect reaches a local program or file. */
const httpOnly = { GIT_ALLOW_PROTOCOL: 'http:https' }

/**
 * Updates branches and tags from `url`; diverged branches stay. Returns an error message without the URL's password, or
 * null. The caller announces the refs.
 */
export async function fetchMirror(
  world: World,
  projectId: number,
  url: string,
  timeLimit = tenMinutes,
): Promise<string | null> {
  if (!isMirrorUrl(url)) return 'Import URL is blocked: Only allowed schemes are http, https'
  const options = { environment: httpOnly, timeLimit }
  const wasEmpty = (await world.git.text(projectId, ['for-each-ref', '--count=1', 'refs/heads'])) === ''
  const refspecs = ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*']
  const fetched = await world.git.run(
    projectId,
    ['fetch', '--no-tags', '--no-write-fetch-head', '--', url, ...refspecs],
    options,
  )
  const moved = rejectedRefs(fetched.stderr)
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

/** Parses ` ! [rejected]  master -> master  (non-fast-forward)`. */
function rejectedRefs(stderr: string) {
  return [...stderr.matchAll(/^ ! \[rejected\]\s+(\S+)\s+->/gm)].map(([, name = '']) => name)
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
