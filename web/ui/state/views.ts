/** What the server's answers look like to the page: names for the types of the API. */
import type { z } from "zod";
import type { AgentExplanationSchema, AgentViewSchema } from "../../api/agents.ts";
import type { ConversationViewSchema, MessageSchema } from "../../api/conversations.ts";
import type { LayoutViewSchema } from "../../api/layouts.ts";
import type { LayoutTree } from "../../../core/layout/tree.ts";
import type { DetectedProfileSchema, ProfileViewSchema } from "../../api/profiles.ts";
import type { FolderListingSchema, ProjectViewSchema } from "../../api/projects.ts";
import type { SettingsSchema } from "../../api/settings.ts";
import type { TerminalInfoSchema } from "../../api/terminals.ts";
import type { PartySchema, QueueEditSchema, TicketSchema } from "../../api/tickets.ts";

export type AgentExplanation = z.output<typeof AgentExplanationSchema>;
export type AgentView = z.output<typeof AgentViewSchema>;
export type AgentLimit = NonNullable<AgentView["limit"]>;
export type ConversationView = z.output<typeof ConversationViewSchema>;
export type DetectedProfile = z.output<typeof DetectedProfileSchema>;
export type FolderListing = z.output<typeof FolderListingSchema>;
export type LayoutView = Omit<z.output<typeof LayoutViewSchema>, "tree"> & { readonly tree: LayoutTree };
export type MessageView = z.output<typeof MessageSchema>;
export type Party = z.output<typeof PartySchema>;
export type ProfileView = z.output<typeof ProfileViewSchema>;
export type ProjectView = z.output<typeof ProjectViewSchema>;
export type QueueEdit = z.output<typeof QueueEditSchema>;
export type Settings = z.output<typeof SettingsSchema>;
export type TerminalInfo = z.output<typeof TerminalInfoSchema>;
export type Ticket = z.output<typeof TicketSchema>;

export type AgentState = AgentView["state"];
