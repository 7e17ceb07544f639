// Whether several picks together brought what the merge request showed: one may add what a later one removes, and in
// between combine with what only the other branch has.
import { isMap } from '../../language/values/shapes.ts'

/** The added and removed lines, sorted, by paths and modes; undefined if a difference is not shown. */
function linesOf(changes: unknown): Map<string, string> | undefined {
  if (!Array.isArray(changes)) return undefined
  const found = new Map<string, string>()
  for (const each of changes as unknown[]) {
    if (!isMap(each) || typeof each.diff !== 'string') return undefined
    const { old_path, new_path, a_mode, b_mode, diff, new_file, renamed_file, deleted_file } = each
    // No lines: too large or binary; or a rename or change of mode, which looks the same.
    if (!diff.includes('@@')) return undefined
    const lines = diff.split('\n').filter((line) => /^[-+\\]/.test(line))
    found.set(
      JSON.stringify([old_path, new_path, a_mode, b_mode, new_file, renamed_file, deleted_file]),
      lines.sort().join('\n'),
    )
  }
  return found
}

/** Fails closed: what cannot be compared is not the same. */
export function isSameChange(shown: unknown, made: unknown): boolean {
  const [one, other] = [linesOf(shown), linesOf(made)]
  if (one === undefined || other === undefined || one.size !== other.size) return false
  return [...one].every(([file, lines]) => other.get(file) === lines)
}
