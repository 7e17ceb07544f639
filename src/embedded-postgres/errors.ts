// What can go wrong with a directory that one process has for itself.

/** Another process, or another part of this one, holds the directory. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
  readonly directory: string
  /** Who has it, as a person would say it. */
  readonly holder: string

  constructor(directory: string, holder: string) {
    super(`The directory ${directory} is in use by ${holder}.`)
    this.directory = directory
    this.holder = holder
  }
}
