// Fetches branches and tags of a repository elsewhere, by HTTP alone: import_url and mirror/pull (api-v4.md §4.3).
import { repositoryFolder, type World } from '../world.ts'
import { isRefName } from './names.ts'

/** An import of a large repository takes minutes; what takes longer hangs. */
const tenMinutes = 10 * 60 * 1000
/** No program and no file of this machine can be reached by an address from outside, nor by a redirect to one. */
const httpOnly = { GIT_ALLOW_PROTOCOL: 'http:https' }

/**
 * Brings the repository's branches and tags to what `url` has. Branches that have moved on here are left as they are, and named.
 * Gives what went wrong as a sentence for people, without the password of the address; null when all went well.
 * Whoever calls announces the refs afterwards (pushes.ts).
 */
export async function fetchMirror(world: World, projectId: number, url: string, timeLimit = tenMinutes): Promise<string | null> {
  if (!isMirrorUrl(url)) return 'Import URL is blocked: Only allowed schemes are http, https'
  const repository = repositoryFolder(world, projectId)
  const options = { environment: httpOnly, timeLimit }
  const wasEmpty = (await world.git.text(repository, ['for-each-ref', '--count=1', 'refs/heads'])) === ''
  const refspecs = ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*']
  const fetched = await world.git.run(repository, ['fetch', '--no-tags', '--no-write-fetch-head', '--', url, ...refspecs], options)
  const moved = rejectedRefs(fetched.stderr)
  if (fetched.code !== 0 && moved.length === 0) return problem(fetched, url, timeLimit)
  if (wasEmpty) await followHead(world, repository, url, options)
  return moved.length === 0 ? null : `These have diverged from their upstream counterparts and were left alone: ${moved.join(', ')}`
}

/** Whether an address may be fetched from: HTTP, with a host. */
export function isMirrorUrl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x20\x7f]/.test(text) || !/^https?:\/\//i.test(text)) return false
  return URL.canParse(text) && new URL(text).hostname !== ''
}

/** ` ! [rejected]  master -> master  (non-fast-forward)`, as git says it in its own language. */
function rejectedRefs(stderr: string): string[] {
  return [...stderr.matchAll(/^ ! \[rejected\]\s+(\S+)\s+->/gm)].map(([, name = '']) => name)
}

/** In a repository that was empty, HEAD names the branch that it names there. */
async function followHead(
  world: World,
  repository: string,
  url: string,
  options: { environment: Record<string, string>; timeLimit: number },
): Promise<void> {
  const told = await world.git.run(repository, ['ls-remote', '--symref', '--', url, 'HEAD'], options)
  const head = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(told.stdout.toString())?.[1]
  // Some servers do not say; then HEAD stays, and the first branch becomes the default.
  if (head === undefined || !isRefName(head)) return
  const exists = (await world.git.run(repository, ['show-ref', '--verify', '--quiet', `refs/heads/${head}`])).code === 0
  if (exists) await world.git.text(repository, ['symbolic-ref', 'HEAD', `refs/heads/${head}`])
}

/** -1 is a process that was ended. */
function problem({ code, stderr }: { code: number; stderr: string }, url: string, timeLimit: number): string {
  if (code === -1) return `The repository did not arrive within ${Math.ceil(timeLimit / 1000)} seconds`
  const said = stderr
    .split('\n')
    .filter((line) => /^(?:fatal|error|remote): /.test(line))
    .join('\n')
  return withoutSecrets(said === '' ? stderr : said, url).trim()
}

/** git's words without user name and password of the address, however they are written. */
export function withoutSecrets(text: string, url: string): string {
  const { username, password } = new URL(url)
  const written = /^https?:\/\/([^/?#]*)@/i.exec(url)?.[1]?.split(':').slice(1).join(':') ?? ''
  const secrets = [written, password, decoded(password), password === '' ? username : '', password === '' ? decoded(username) : '']
  const known = [...new Set(secrets)].filter((secret) => secret !== '').sort((one, other) => other.length - one.length)
  return known.reduce((cleaned, secret) => cleaned.replaceAll(secret, '*****'), text.replace(/(\bhttps?:\/\/)[^/\s]*@/gi, '$1*****@'))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
