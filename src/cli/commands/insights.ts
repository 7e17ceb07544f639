// `bellhop insights`: the time figures of a running bot, by week and project.
import type { Command } from 'commander'
import type { Figures } from '../../admin/api/insights.ts'
import type { RunOperation } from '../../admin/api/route.ts'
import type { InsightsResponse } from '../../admin/api/routes/insights.ts'
import { type FigureName, figureNames } from '../../rules/explain/time-figures.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { formatHours } from '../../rules/language/values/durations.ts'
import { count } from '../../rules/language/values/wording.ts'
import { routeCommand } from '../admin/route-command.ts'
import { tableOf } from '../output/table.ts'
import { plain, printAs, printLines } from '../output/terminal-text.ts'

const help = `
Each time counts in the week (UTC) in which it ended. Shown are medians, with the number of merge requests; waiting times are those of the
merge requests that waited and were merged in the week. Those whose opening Bellhop did not see are left out. --format csv has a row for each project, week and figure.

Examples:
  $ bellhop insights --project hotel/app --weeks 4
  $ bellhop insights --format csv > insights.csv`

export function insights(): Command {
  return routeCommand('show_insights', { name: 'insights', formats: ['csv'], perform }).addHelpText('after', help)
}

async function perform(call: RunOperation, { format, ...given }: { format: 'text' | 'json' | 'csv' }): Promise<void> {
  if (format === 'csv')
    return printLines((await call<string>('export_insights', given)).trimEnd().split('\r\n').map(plain))
  const found = await call<InsightsResponse>('show_insights', given)
  printAs(format, found, () => linesOf(found))
}

function linesOf({ weeks, projects, projectCount, complete }: InsightsResponse): string[] {
  const shown = figureNames.filter((name) => weeks.some(({ figures }) => figures[name] !== undefined))
  const head = [...shown.map((name) => name.replaceAll('_', ' ')), 'left out']
  const row = ({ figures, leftOut }: Figures) => [...shown.map((name) => cell(figures[name])), leftOut]
  return [
    tableOf(
      ['week', ...head],
      weeks.map((each) => [each.week, ...row(each)]),
    ),
    ...(projects.length === 0
      ? []
      : [
          tableOf(
            ['project', ...head],
            projects.map((each) => [refName(each), ...row(each)]),
          ),
        ]),
    ...(projectCount > projects.length ? [`${projects.length} of ${count(projectCount, 'project')}`] : []),
    ...(complete ? [] : ['only the newest 5,000 merge requests count: choose a --project']),
  ]
}

const cell = (figure: Figures['figures'][FigureName]): string =>
  figure === undefined ? '' : `${formatHours(figure.medianMs / 1_000)} (${figure.count})`
