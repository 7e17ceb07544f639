// The settings of each hosting service that a process works for: of the only one, or of those that a file names.
import { readText } from '../read-text.ts'
import type { Config } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { readServices } from './services-file.ts'

/** Never empty. Throws UserError with a line for each mistake. */
export async function configOfEach(common: Config, environment: Record<string, string | undefined>): Promise<Config[]> {
  const { services: file } = common
  if (file === '') return [common]
  const read = readServices(await readText(file), { file, common, environment })
  if (!read.ok) throw new UserError(read.problems.join('\n'), { exitCode: 2 })
  return read.services
}
