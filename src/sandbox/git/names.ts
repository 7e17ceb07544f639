// Which ref and file names may reach git.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const forbiddenInRef = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\x00-\x1f\x7f]/

/** The rules of `git check-ref-format --branch`. */
export function isRefName(name: string): boolean {
  if (name === '' || name === '@' || name.length > 255) return false
  if (name.startsWith('-') || name.startsWith('/') || name.startsWith('.') || name.endsWith('/') || name.endsWith('.'))
    return false
  return !forbiddenInRef.test(name) && !name.startsWith('refs/')
}

/** Undefined for a ref that is no branch. */
export function branchOf(ref: string): string | undefined {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/** Relative, without `..`, not inside `.git`. */
export function isFilePath(path: string): boolean {
  if (path === '' || path.startsWith('-') || control.test(path) || path.includes('\\')) return false
  return path
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !/^(?:\.git|git~1)$/i.test(part))
}

export function isSha(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text)
}

/** git's "no commit": the ref is created or removed. */
export const noCommit = '0'.repeat(40)
