// Commands that call a running bot: the admin API that they get is served here, once for all tests of a file.
import { TOKEN, useAdmin } from '../admin/serve-admin.ts'
import { bellhopHere } from './run-here.ts'

/** `given` is called before the tests, and may prepare what they need. */
export function useRunningBot(...given: Parameters<typeof useAdmin>) {
  const admin = useAdmin(...given)
  const environment = () => ({ BELLHOP_ADMIN_URL: admin.url, BELLHOP_ADMIN_TOKEN: TOKEN })
  return { environment, run: (...args: string[]) => bellhopHere(args, environment()) }
}
