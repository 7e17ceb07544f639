// Differences between two commits, from git's diff.
import type * as z from 'zod'
import type { change } from '../../api/schemas/merge-request.ts'
import type { World } from '../storage/world.ts'

type FileChange = z.output<typeof change>

/** Longer lists are cut, with `overflow`. */
const maxChanges = 1000

type Entry = Omit<FileChange, 'diff'> & { parts: number }

const mode = (raw: string) => (/^0+$/.test(raw) ? '0' : raw)

/** Parses `git diff-tree -r -M -z --raw`. */
function parseRaw(text: string): Entry[] {
  const fields = text.split('\0')
  const entries: Entry[] = []
  let at = 0
  while (at + 1 < fields.length) {
    const head = /^:(\d{6}) (\d{6}) \S+ \S+ ([A-Z])/.exec(fields[at] ?? '')
    if (head === null) break
    const [, a = '', b = '', letter = ''] = head
    const moved = letter === 'R' || letter === 'C'
    const old_path = fields[at + 1] ?? ''
    entries.push({
      old_path,
      new_path: moved ? (fields[at + 2] ?? '') : old_path,
      a_mode: mode(a),
      b_mode: mode(b),
      new_file: letter === 'A',
      renamed_file: letter === 'R',
      deleted_file: letter === 'D',
      // A file that becomes a link, or the reverse, comes as a removal and an addition.
      parts: letter === 'T' ? 2 : 1,
    })
    at += moved ? 3 : 2
  }
  return entries
}

/** The hunks of one file without git's header; the line about a binary file stays. */
function hunks(part: string) {
  const start = /(?<![^\n])(?:@@ |Binary files )/.exec(part)
  return start === null ? '' : part.slice(start.index)
}

async function listEntries(world: World, projectId: number, from: string, to: string): Promise<Entry[]> {
  const args = ['diff-tree', '-r', '-M', '-z', '--raw', '--no-commit-id', '--end-of-options', from, to]
  return parseRaw(await world.git.text(projectId, args))
}

/** `changes_count`: a string, `1000+` beyond the cap. */
export async function countChanges(world: World, projectId: number, from: string | null, to: string): Promise<string> {
  if (from === null) return '0'
  const count = (await listEntries(world, projectId, from, to)).length
  return count > maxChanges ? `${maxChanges}+` : String(count)
}

/** `overflow`: the list was cut. */
export async function readChanges(
  world: World,
  projectId: number,
  from: string | null,
  to: string,
): Promise<{ changes: FileChange[]; overflow: boolean }> {
  if (from === null) return { changes: [], overflow: false }
  const entries = await listEntries(world, projectId, from, to)
  const args = [
    ...'diff-tree -r -M -p --no-color --no-ext-diff --no-textconv --no-commit-id --end-of-options'.split(' '),
    from,
    to,
  ]
  const { code, stdout, stderr } = await world.git.run(projectId, args)
  // The output exceeded the memory limit: files come without their patches.
  const tooLong = code === -1
  if (code !== 0 && !tooLong) throw new Error(`git diff-tree failed (${code}): ${stderr.trim()}`)
  // Content lines begin with a blank, plus, minus or backslash, so only headers match. Only a line feed ends a line.
  const parts = (tooLong ? '' : stdout.toString())
    .split(/(?<![^\n])(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
  let at = 0
  const changes = entries.map(({ parts: count, ...entry }) => {
    const diff = parts
      .slice(at, at + count)
      .map(hunks)
      .join('')
    at += count
    return { ...entry, diff }
  })
  return { changes: changes.slice(0, maxChanges), overflow: tooLong || changes.length > maxChanges }
}

/** The paths that a commit added, changed and removed against its first parent. */
export async function filesOfCommit(
  world: World,
  projectId: number,
  sha: string,
): Promise<{ added: string[]; modified: string[]; removed: string[] }> {
  const options = ['-r', '-z', '--raw', '--root', '--diff-merges=first-parent', '--no-renames', '--no-commit-id']
  const entries = parseRaw(await world.git.text(projectId, ['diff-tree', ...options, '--end-of-options', sha]))
  const paths = (wanted: (entry: Entry) => boolean) => entries.filter(wanted).map((entry) => entry.new_path)
  return {
    added: paths((entry) => entry.new_file),
    modified: paths((entry) => !entry.new_file && !entry.deleted_file),
    removed: paths((entry) => entry.deleted_file),
  }
}
