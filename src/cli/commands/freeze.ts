// `bellhop freeze`: nothing merges in a project until then; `--end` ends that.
import type { Command } from 'commander'
import { freezeEnd, sayFreeze } from '../../rules/language/values/freezes.ts'
import { type AdminFlags, routeCommand } from '../admin/route-command.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { UsageError } from '../user-error.ts'

interface Flags extends AdminFlags {
  project: string
  until?: string
  reason?: string
  except?: string
  end?: true
}

const about = `
No merge queue lands, no rule merges, and what Bellhop lets wait at the service is cancelled. Merge requests say so, and tests go on.
A time without a zone is in UTC. A new freeze replaces the one before it. A freeze that returns, as each Friday, belongs in the rules
(queues: freeze).

Examples:
  $ bellhop freeze hotel/app --until 2026-12-01T09:00Z --reason "the release" --except hotfix,urgent
  $ bellhop freeze hotel/app --end`

export function freeze(): Command {
  return routeCommand<Flags>('freeze', {
    name: 'freeze',
    async perform(call, { end, ...given }) {
      const { project, until, reason, format } = given
      if (end && until !== undefined) throw new UsageError('--end and --until exclude each other.')
      if (!end && until === undefined) throw new UsageError(`--until is missing: ${freezeEnd}.`)
      const response = await call<{ until: string }>(end ? 'end_freeze' : 'freeze', { ...given, why: reason })
      const state = end ? 'The freeze is over' : `It is ${sayFreeze({ until: response.until, reason })}`
      printAs(format, response, () => [plain(`${project}: ${state}.`)])
    },
  })
    .option('--end', 'end the freeze')
    .addHelpText('after', about)
}
