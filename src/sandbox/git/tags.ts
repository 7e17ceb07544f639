// Tags of a bare repository that lead to a commit.
import type { World } from '../storage/world.ts'
import { cleanPerson, type GitIdentity } from './git.ts'
import { isRefName } from './names.ts'
import { parseFields } from './read-commits.ts'
import { commitsOf } from './refs.ts'

export interface GitTag {
  name: string
  /** Null for a lightweight tag. */
  message: string | null
  /** The tag object of an annotated tag, else the commit. */
  target: string
  commit: string
}

const format = '--format=%(refname)%00%(objectname)%00%(objecttype)%00%(contents)%00'

/** Newest first, then by name. */
export function readTags(world: World, projectId: number): Promise<GitTag[]> {
  return read(world, projectId, 'refs/tags')
}

export async function readTag(world: World, projectId: number, name: string): Promise<GitTag | undefined> {
  if (!isRefName(name)) return undefined
  // A folder name also matches the tags inside it.
  return (await read(world, projectId, `refs/tags/${name}`)).find((tag) => tag.name === name)
}

async function read(world: World, projectId: number, pattern: string): Promise<GitTag[]> {
  const args = ['for-each-ref', '--sort=refname', '--sort=-creatordate', format, pattern]
  const entries = parseFields(await world.git.text(projectId, args), 4)
  const found = entries.map(([ref = '', target = '', type = '', contents = '']) => {
    const name = ref.trimStart().slice('refs/tags/'.length)
    return { name, target, message: type === 'tag' ? contents.trimEnd() : null }
  })
  const commits = await commitsOf(
    world,
    projectId,
    found.map(({ target }) => `${target}^{commit}`),
  )
  // Tags of files and folders are not shown.
  return found.flatMap((tag, index) => {
    const commit = commits[index]
    return commit === undefined ? [] : [{ ...tag, commit }]
  })
}

/** Writes an annotated tag; no ref moves. */
export async function writeTag(
  world: World,
  projectId: number,
  { name, commit, message, tagger }: { name: string; commit: string; message: string; tagger: GitIdentity },
): Promise<string> {
  const { name: by, email } = cleanPerson(tagger)
  const head = `object ${commit}\ntype commit\ntag ${name}\ntagger ${by} <${email}> ${Math.floor(Date.now() / 1000)} +0000\n`
  const input = `${head}\n${message.trimEnd()}\n`
  return world.git.line(projectId, ['mktag'], { input })
}
