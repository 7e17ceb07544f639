// `bellhop deliveries list|show|replay`: what came in, what became of it, and once more.
import Table from 'cli-table3'
import { Command, Option } from 'commander'
import type { DeliveryAnswer } from '../../admin/routes/deliveries.ts'
import type { DeliveryRecord, Page } from '../../journal/types.ts'
import { explainDecision } from '../../rules/explain.ts'
import { createAdminClient } from '../admin-client.ts'
import { type AdminFlags, withAdmin } from '../admin-options.ts'
import { plain, printJson as print } from '../terminal-text.ts'

/** Three subcommands over the admin API of a running bot. */
export function deliveries(): Command {
  const command = new Command('deliveries').description('list, show and replay deliveries of a running bot')
  command.addCommand(
    withAdmin(new Command('list').description('the newest deliveries'))
      .option('--project <id>', 'only those of one project')
      .addOption(
        new Option('--state <state>', 'only those in one state').choices(['received', 'read', 'uninteresting', 'unreadable', 'refused']),
      )
      .option('--limit <number>', 'how many', '20')
      .action(list),
  )
  command.addCommand(withAdmin(new Command('show').description('one delivery and what was decided').argument('<id>')).action(show))
  command.addCommand(
    withAdmin(
      new Command('replay').description('judge a delivery’s merge requests again, on the state as it is now').argument('<id>'),
    ).action(replay),
  )
  return command
}

async function list(flags: AdminFlags & { project?: string; state?: string; limit: string }): Promise<void> {
  const query = new URLSearchParams({ limit: flags.limit })
  if (flags.project !== undefined) query.set('project', flags.project)
  if (flags.state !== undefined) query.set('state', flags.state)
  const page = (await createAdminClient(flags).get(`/deliveries?${query}`)) as Page<DeliveryRecord>
  if (flags.format === 'json') return print(page)
  const table = new Table({ head: ['received', 'id', 'event', 'state', 'merge requests'], style: { head: [], border: [], compact: true } })
  for (const each of page.items)
    table.push([
      each.receivedAt,
      each.id,
      plain(each.event?.kind ?? each.header),
      each.state,
      each.mergeRequests.map((mr) => `${mr.project}!${mr.iid}`).join(' '),
    ])
  process.stdout.write(`${table.toString()}\n`)
}

async function show(id: string, flags: AdminFlags): Promise<void> {
  const answer = (await createAdminClient(flags).get(`/deliveries/${encodeURIComponent(id)}`)) as DeliveryAnswer
  if (flags.format === 'json') return print(answer)
  const { delivery, decisions } = answer
  const lines = [
    `delivery ${delivery.id}`,
    `  received ${delivery.receivedAt}, ${delivery.bytes} bytes, ${plain(delivery.event?.kind ?? delivery.header)}`,
    `  state    ${delivery.state}${delivery.reason === undefined ? '' : `: ${plain(delivery.reason)}`}`,
    ...delivery.replays.map((each) => `  replayed ${each.at} by ${each.by}`),
    ...decisions.flatMap((decision) => [
      `decision ${decision.id} of ${decision.mergeRequest.project}!${decision.mergeRequest.iid} at ${decision.at}`,
      ...explainDecision(decision).map((line) => `  ${plain(line)}`),
    ]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function replay(id: string, flags: AdminFlags): Promise<void> {
  const answer = await createAdminClient(flags).post(`/deliveries/${encodeURIComponent(id)}/replay`)
  if (flags.format === 'json') return print(answer)
  process.stdout.write(`Delivery ${id} is back in line.\n`)
}
