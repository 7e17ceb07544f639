// Errors of an embedded database.

export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
  readonly holder: string

  constructor(directory: string, holder: string) {
    super(`The directory ${directory} is in use by ${holder}.`)
    this.holder = holder
  }
}

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST']

/** Why a directory could not be opened, with what to do if the user of the process may not write there. */
export function whyNotOpened(thrown: unknown, variable: string): string {
  const { message, code }: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (code === undefined || !NOT_WRITABLE.includes(code)) return message
  return `${message}. Give this user the right to write there, or name another folder: ${variable}=embedded:DIR.`
}
