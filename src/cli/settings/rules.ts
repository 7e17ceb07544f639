// Settings: the operator's rules.
import { mode, notEmpty, setting, wholeNumber } from './setting.ts'

export const rules = {
  rulesFolder: setting('BELLHOP_RULES', notEmpty, {
    doc: 'The operator’s rule folder.',
    default: './rules',
    setWhen: 'one rule set applies to many projects',
  }),
  offLabel: setting('BELLHOP_OFF_LABEL', notEmpty, {
    doc: 'The label that turns Bellhop off for a merge request.',
    default: 'bellhop::off',
    setWhen: 'that label has another meaning',
  }),
  mode: setting('BELLHOP_MODE', mode, {
    doc: 'The most that rules may do in any project: act, observe (decide and record, send no calls) or off.',
    default: 'act',
    setWhen: 'you try Bellhop out: observe',
  }),
  newRuleLimit: setting('BELLHOP_NEW_RULE_LIMIT', wholeNumber, {
    doc: 'How often per hour and project new rules may approve, accept, close, comment and notify, each; 0 sets no limit. A rule is new for 24 hours after Bellhop has first seen it. Commands of people are not limited, and `bellhop queue allow-new-rules` ends it for a project.',
    default: '10',
    setWhen: 'you trust new rules more, or less',
  }),
} as const
