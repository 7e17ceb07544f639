// Reads a file given on the command line.
import { readFile } from 'node:fs/promises'
import { UsageError } from './user-error.ts'

/** Throws UsageError if it cannot be read. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw new UsageError(reasons[code]?.(file) ?? `${file} cannot be read${code && ` (${code})`}.`, { cause })
  }
}

const reasons: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no file ${file}.${file === '.bellhop.yml' ? ' bellhop init writes one.' : ''}`,
  EISDIR: (file) => `${file} is a folder: name a file.`,
  EACCES: (file) => `${file} may not be read by this user.`,
}
