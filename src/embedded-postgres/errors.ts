// Errors of the directory lock.

export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
  readonly directory: string
  readonly holder: string

  constructor(directory: string, holder: string) {
    super(`The directory ${directory} is in use by ${holder}.`)
    this.directory = directory
    this.holder = holder
  }
}
