// Reads a file that was named on the command line.
import { readFile } from 'node:fs/promises'
import { UserError } from './user-error.ts'

/** The file's text. One that cannot be read is wrong usage. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new UserError(`${file} cannot be read${cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''}.`, {
      exitCode: 2,
      cause,
    })
  }
}
