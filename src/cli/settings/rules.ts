// Settings of rules: the operator’s folder, and the most that rules may do.
import { mode, notEmpty, wholeNumber } from '../setting-texts.ts'
import { setting } from './setting.ts'

export const rules = {
  rulesFolder: setting({
    variable: 'BELLHOP_RULES',
    flag: '--rules',
    doc: 'The operator’s rule folder.',
    default: './rules',
    neededBy: 'who has rules for many projects',
    read: notEmpty,
  }),
  offLabel: setting({
    variable: 'BELLHOP_OFF_LABEL',
    flag: '--off-label',
    doc: 'The label that makes Bellhop leave a merge request alone.',
    default: 'bellhop::off',
    neededBy: 'who uses that label for something else',
    read: notEmpty,
  }),
  mode: setting({
    variable: 'BELLHOP_MODE',
    flag: '--mode',
    doc: 'The most that rules may do in any project: act, observe (decide and record, call nothing) or off.',
    default: 'act',
    neededBy: 'who tries Bellhop out: observe',
    read: mode,
  }),
  brake: setting({
    variable: 'BELLHOP_BRAKE',
    flag: '--brake',
    doc: 'How often an hour and project rules that are new may approve, accept, close and comment, each; 0 sets no limit.',
    default: '10',
    neededBy: 'who trusts new rules more, or less',
    read: wholeNumber,
  }),
} as const
