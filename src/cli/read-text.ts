// Reads a file given on the command line.
import { readFile } from 'node:fs/promises'
import { UsageError } from './user-error.ts'

/** Throws UsageError where it cannot be read. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new UsageError(
      `${file} cannot be read${cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''}.`,
      { cause },
    )
  }
}
