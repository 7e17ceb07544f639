// The settings of each hosting service: the only one, or those of a file.
import { readText } from '../read-text.ts'
import type { Config } from '../settings/settings.ts'
import { UsageError } from '../user-error.ts'
import { readServices } from './services-file.ts'

/** Never empty. Throws UsageError with a line per mistake. */
export async function configOfEach(common: Config, environment: Record<string, string | undefined>): Promise<Config[]> {
  const { services: file } = common
  if (file === '') return [common]
  const read = readServices(await readText(file), { file, common, environment })
  if (!read.ok) throw new UsageError(read.problems.join('\n'))
  return read.services
}
