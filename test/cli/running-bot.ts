// Commands that call a running bot: the admin API that they get is served here, once for all tests of a file.
import { afterAll, beforeAll } from 'vitest'
import { type ServedAdmin, serveAdmin, TOKEN } from '../admin/serve-admin.ts'
import { bellhopHere } from './run-here.ts'

type ServeArguments = Parameters<typeof serveAdmin>

/** `given` is called before the tests, and may prepare what they need. */
export function useRunningBot(
  given: () => ServeArguments[0] | Promise<ServeArguments[0]>,
  options: ServeArguments[1] = {},
) {
  let admin: ServedAdmin
  beforeAll(async () => {
    admin = await serveAdmin(await given(), options)
  })
  afterAll(() => void admin.server.close())
  const environment = () => ({ BELLHOP_ADMIN_URL: admin.url, BELLHOP_ADMIN_TOKEN: TOKEN })
  return { environment, run: (...args: string[]) => bellhopHere(args, environment()) }
}
